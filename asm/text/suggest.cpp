// Chooses which words are worth a comparison.
#include "asm/text/suggest.h"

#include <fmt/ranges.h>

#include <span>

#include "isa/instruction/types.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kMostCandidates = 2000;
constexpr std::size_t kMostEdits = 2;  // as isa::nearest() allows

}  // namespace

void Suggestion::offer(std::string_view candidate) {
  const bool near = candidate.size() <= word_.size() + kMostEdits &&
                    word_.size() <= candidate.size() + kMostEdits;
  if (active_ && near && candidates_.size() < kMostCandidates) {
    candidates_.emplace_back(candidate);
  }
}

std::string list_of(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "none" : words[0];
  const std::span all_but_last(words.data(), words.size() - 1);
  return fmt::format("{} and {}", fmt::join(all_but_last, ", "), words.back());
}

std::string nearest_of(std::string_view word, const std::vector<std::string>& words,
                       const Reporter& reporter) {
  Suggestion suggestion(word, reporter);
  for (const std::string& candidate : words) {
    suggestion.offer(std::string_view(candidate).substr(0, candidate.find('=')));
  }
  return suggestion.best();
}

void report_unknown_type(Reporter& reporter, std::string_view word, const isa::SourceRange& where,
                         bool of_parameter) {
  std::vector<std::string> words;
  for (const isa::TypeInfo& row : isa::kTypes) {
    if (row.type != isa::Type::Colour || of_parameter) words.emplace_back(row.text);
  }
  if (of_parameter) words.emplace_back("const");
  report_choice(reporter, Problem::UnknownType, where, word, words);
}

}  // namespace wse::assembler
