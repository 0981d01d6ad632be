// Reads the table of diagnostics.
#include "asm/text/warning_choice.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "isa/support/diagnostics.h"

namespace wse::assembler {

std::vector<std::string> warning_codes() {
  constexpr std::pair<std::string_view, isa::Severity> kCodes[] = {
#define DIAGNOSTIC(name, code, severity, ...) {code, isa::Severity::severity},
#define NOTE(...)
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
  };
  std::vector<std::string> codes;
  for (const auto& [code, severity] : kCodes) {
    if (severity == isa::Severity::Warning) codes.emplace_back(code);
  }
  std::ranges::sort(codes);
  return codes;
}

isa::Result<WarningChoice> warning_choice(std::string_view code, std::string_view choice) {
  const std::vector<std::string> codes = warning_codes();
  if (std::ranges::find(codes, code) == codes.end()) {
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
