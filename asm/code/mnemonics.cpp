// A table of rows, made once; suggestions from the narrowest reason to the widest.
#include "asm/code/mnemonics.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "asm/text/suggest.h"

namespace wse::assembler {
namespace {

using isa::InstructionInfo;

constexpr std::size_t kWidthDigits = 2;

struct OtherWord {
  std::string_view word;
  std::string_view stem;
};
constexpr OtherWord kOtherWords[] = {
#define OTHER(word, stem) {word, stem},
#include "asm/code/other_words.def"
#undef OTHER
};

constexpr VendorWord kVendorWords[] = {
#define VENDOR(word, reason, instead) {word, reason, instead},
#include "asm/code/vendor_words.def"
#undef VENDOR
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The first mnemonic that is `word` and a width, as add32 for add; empty if there is none.
std::string_view with_width(std::string_view word) {
  for (const InstructionInfo& row : isa::kInstructions) {
    const std::string_view text = row.mnemonic;
    if (!text.starts_with(word) || text.size() != word.size() + kWidthDigits) continue;
    if (is_digit(text[word.size()])) return text;
  }
  return {};
}

bool is_mnemonic(std::string_view word) {
  const MnemonicRows rows = rows_of(word);
  return rows.scalar != nullptr || rows.vector != nullptr;
}

// Finds the word for one of other instruction sets; its width is kept where ours has one.
std::string of_other_sets(std::string_view word) {
  std::string_view stem = word;
  while (!stem.empty() && is_digit(stem.back())) stem.remove_suffix(1);
  const auto* const found = std::ranges::find(kOtherWords, stem, &OtherWord::word);
  if (found == std::end(kOtherWords)) return {};
  std::string wide = std::string(found->stem) + std::string(word.substr(stem.size()));
  if (is_mnemonic(wide)) return wide;
  if (is_mnemonic(found->stem)) return std::string(found->stem);
  return std::string(with_width(found->stem));
}

}  // namespace

MnemonicRows rows_of(std::string_view mnemonic) {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, MnemonicRows> rows;
    for (const InstructionInfo& row : isa::kInstructions) {
      (row.is_vector() ? rows[row.mnemonic].vector : rows[row.mnemonic].scalar) = &row;
    }
    return rows;
  }();
  const auto found = kRows.find(mnemonic);
  return found == kRows.end() ? MnemonicRows{} : found->second;
}

const VendorWord* vendor_word(std::string_view mnemonic) {
  const auto* const found = std::ranges::find(kVendorWords, mnemonic, &VendorWord::word);
  return found == std::end(kVendorWords) ? nullptr : found;
}

std::string meant_by(std::string_view word, const Unit& unit, const Reporter& reporter) {
  if (!reporter.may_suggest()) return {};
  const std::string_view wide = with_width(word);
  if (!wide.empty()) return std::string(wide);
  std::string other = of_other_sets(word);
  if (!other.empty()) return other;
  Suggestion suggestion(word, reporter);
  for (const InstructionInfo& row : isa::kInstructions) suggestion.offer(row.mnemonic);
  for (const MacroSyntax& macro : unit.macros) suggestion.offer(macro.name.text);
  suggestion.offer(kMapWord);
  for (const std::string_view header : kHeaderWords) suggestion.offer(header);
  return suggestion.best();
}

}  // namespace wse::assembler
