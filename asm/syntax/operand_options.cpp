// Finds each argument of a descriptor in the table of options.
#include "asm/syntax/operand_options.h"

#include <algorithm>

#include "asm/syntax/rewrites.h"
#include "asm/text/suggest.h"

namespace wse::assembler {
namespace {

struct VendorOption {
  std::string_view word;
  std::string_view reason;
  std::string_view instead;
};
constexpr VendorOption kVendorOptions[] = {
#define VENDOR_OPTION(word, reason, instead) {word, reason, instead},
#include "asm/syntax/vendor_options.def"
#undef VENDOR_OPTION
};

// The letter of operand_options.def.
char letter_of(const Expr& call) {
  if (call.text == "fabin") return 'i';
  if (call.text == "indexed") return '-';
  return call.text == "fabout" ? 'o' : call.text[0];
}

bool belongs(const OptionInfo& option, char letter) {
  return option.calls.find(letter) != std::string_view::npos;
}

std::vector<std::string> all_options(char letter) {
  std::vector<std::string> all;
  for (const OptionInfo& option : kOptions) {
    if (!belongs(option, letter)) continue;
    all.push_back(fmt::format("{}{}", option.text, option.has_value ? "=..." : ""));
  }
  return all;
}

void report_unknown(const Expr& call, std::string_view word, const isa::SourceRange& where,
                    Reporter& reporter) {
  if (refuse_vendor_option(word, where, reporter)) return;
  const std::string described = word.empty() ? "this value" : fmt::format("'{}'", word);
  report_choice(reporter, Problem::UnknownOption, where, word, all_options(letter_of(call)),
                described, call.text);
}

}  // namespace

bool refuse_vendor_option(std::string_view word, const isa::SourceRange& where,
                          Reporter& reporter) {
  const auto* const found = std::ranges::find(kVendorOptions, word, &VendorOption::word);
  if (found == std::end(kVendorOptions)) return false;
  reporter.report(Problem::VendorOption, where, word, found->reason, found->instead);
  return true;
}

std::optional<GivenOptions> read_options(const Unit& unit, const Expr& call, Reporter& reporter) {
  GivenOptions given;
  for (std::uint32_t k = 1; k < call.count; ++k) {
    const Argument& argument = unit.arguments[call.first + k];
    const bool has_value = !argument.name.text.empty();
    const Expr& expr = unit[argument.value];
    const bool is_word = has_value || (expr.kind == ExprKind::Name && !expr.grouped);
    const std::string_view word = has_value ? argument.name.text : is_word ? expr.text : "";
    const isa::SourceRange& where = has_value ? argument.name.where : expr.where;
    const OptionInfo* const found = std::ranges::find(kOptions, word, &OptionInfo::text);
    if (word.empty() || found == std::end(kOptions) || !belongs(*found, letter_of(call))) {
      report_unknown(call, word, where, reporter);
      return std::nullopt;
    }
    if (found->has_value != has_value) {
      reporter.report(Problem::OptionValue, where, word, has_value ? "no value" : "a value",
                      has_value ? fmt::format("{}", word) : fmt::format("{}=...", word));
      if (has_value) reporter.spells(removed_behind(where, expr));
      return std::nullopt;
    }
    GivenOptions::Entry& entry = given.entries_[static_cast<std::size_t>(found - kOptions)];
    if (entry.given) {
      reporter.report(Problem::OptionTwice, where, word);
      if (!has_value) reporter.spells(without_argument(unit, call, word));
      return std::nullopt;
    }
    entry = {true, has_value ? argument.value : kNoExpr, where};
  }
  return given;
}

}  // namespace wse::assembler
