// Reads the table of diagnostics.
#include "asm/text/warning_choice.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "isa/support/diagnostics.h"

namespace wse::assembler {

namespace {

constexpr std::pair<std::string_view, isa::Severity> kCodes[] = {
#define DIAGNOSTIC(name, code, severity, ...) {code, isa::Severity::severity},
#define NOTE(...)
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
};

}  // namespace

std::vector<std::string> warning_codes() {
  std::vector<std::string> codes;
  for (const auto& [code, severity] : kCodes) {
    if (severity == isa::Severity::Warning) codes.emplace_back(code);
  }
  std::ranges::sort(codes);
  return codes;
}

bool is_error_code(std::string_view code) {
  return std::ranges::find(kCodes, std::pair(code, isa::Severity::Error)) != std::end(kCodes);
}

isa::Result<WarningChoice> warning_choice(std::string_view code, std::string_view choice) {
  const std::vector<std::string> codes = warning_codes();
  if (is_error_code(code)) return isa::fail(fmt::format("{} is an error, not a warning", code));
  if (code != kAllWarnings && std::ranges::find(codes, code) == codes.end()) {
    const std::string near = isa::nearest(code, codes);
    return isa::fail(fmt::format("no warning has the code '{}'; {}", code,
                                 near.empty() ? fmt::format("there are {}", fmt::join(codes, ", "))
                                              : fmt::format("did you mean '{}'?", near)));
  }
  if (choice != "off" && choice != "error") {
    return isa::fail(fmt::format("{} can be off or error, not '{}'", code, choice));
  }
  return WarningChoice{std::string(code), choice == "error"};
}

}  // namespace wse::assembler
