// Reads the tables; the words that only the parser's rules know are listed here, and a test finds
// each of them in the grammar.
#include "asm/words.h"

#include <algorithm>
#include <iterator>

#include "asm/syntax/operand_options.h"
#include "asm/syntax/syntax.h"
#include "isa/formula/formula.h"
#include "isa/instruction/instruction.h"
#include "isa/instruction/types.h"
#include "isa/machine/control_word.h"
#include "isa/machine/fabric.h"
#include "isa/machine/filter.h"

namespace wse::assembler {
namespace {

struct Help {
  std::string_view word;
  std::string_view form;
  std::string_view meaning;
};
constexpr Help kHelp[] = {
#define DIRECTIVE_HELP(word, form, meaning) {word, form, meaning},
#include "asm/syntax/directive_help.def"
#undef DIRECTIVE_HELP
};

struct Row {
  std::string_view word;
  bool in_program;
};
#define ROW(word, rule, in_program, ...) {word, in_program},
constexpr Row kRows[] = {
#define TOP_DIRECTIVE ROW
#define FABRIC_DIRECTIVE ROW
#define DECLARATION_DIRECTIVE ROW
#define BLOCK_DIRECTIVE ROW
#define MACRO_DIRECTIVE ROW
#define LINE_DIRECTIVE ROW
#define PARSER_DIRECTIVE ROW
#include "asm/syntax/directives.def"
};
#undef ROW

constexpr std::string_view kClauses[] = {"at",
                                         "with",
                                         "step",
                                         "within",
                                         "on",
                                         "cycles",
                                         "ring",
                                         "pop",
                                         "start",
                                         "exported",
                                         "bank",
                                         "address",
                                         "control",
                                         "teardown",
                                         "high",
                                         "link",
                                         "async",
                                         "index",
                                         "const",
                                         "counts",
                                         "filtered",
                                         "torn_down",
                                         "on_leaving_full",
                                         "on_leaving_empty",
                                         "terminate",
                                         "data"};
constexpr std::string_view kFunctions[] = {"fabin",       "fabout",         "mem",       "circular",
                                           "save",        "indexed",        "control",   "ignore",
                                           kViewFunction, kAddressFunction, kHasFunction};
constexpr std::string_view kConstants[] = {"inf", "nan", isa::kEndlessText};

void add_tables(std::vector<LanguageWord>& words) {
  const auto add = [&words](std::string_view word, WordKind kind) {
    if (!word.empty()) words.push_back({std::string(word), kind});
  };
  for (const auto& row : isa::kInstructions) add(row.mnemonic, WordKind::Mnemonic);
  add(kMapWord, WordKind::Mnemonic);
  for (const std::string_view word : kHeaderWords) add(word, WordKind::Header);
  for (const isa::TypeInfo& type : isa::kTypes) add(type.text, WordKind::Type);
  for (const std::string_view port : isa::kPortTexts) add(port, WordKind::Port);
  for (int k = 0; k <= static_cast<int>(isa::FormulaOp::SquareRoot); ++k) {
    const auto op = static_cast<isa::FormulaOp>(k);
    const isa::OperatorInfo* info = isa::operator_info(op);
    if (info == nullptr) add(isa::variable_text(op), WordKind::Constant);
    if (info != nullptr && info->precedence == 0) add(info->text, WordKind::Function);
  }
  for (const std::string_view word : kConstants) add(word, WordKind::Constant);
  for (const std::string_view word : kFunctions) add(word, WordKind::Function);
  for (const std::string_view word : kClauses) add(word, WordKind::Clause);
  for (const std::string_view word : isa::kCompletionTexts) add(word, WordKind::Clause);
  for (const std::string_view word : isa::kPopModeTexts) add(word, WordKind::Clause);
  for (const std::string_view word : isa::kFilterCountsTexts) add(word, WordKind::Clause);
  for (const std::string_view word : isa::kCommandTexts) add(word, WordKind::Clause);
  for (const isa::FilterKindInfo& kind : isa::kFilterKindTexts) {
    add(kind.text, WordKind::Clause);
    for (const std::string_view value : kind.names) add(value, WordKind::Option);
  }
  for (const OptionInfo& option : kOptions) add(option.text, WordKind::Option);
}

}  // namespace

std::span<const DirectiveWord> directive_words() {
  static const auto kWords = [] {
    std::vector<DirectiveWord> words;
    for (const Help& help : kHelp) {
      const auto* const row = std::ranges::find(kRows, help.word, &Row::word);
      const bool in_program = row == std::end(kRows) || row->in_program;  // data have no row
      words.push_back({help.word, in_program, help.form, help.meaning});
    }
    return words;
  }();
  return kWords;
}

const DirectiveWord* directive_word(std::string_view word) {
  const auto words = directive_words();
  const auto found = std::ranges::find(words, word, &DirectiveWord::word);
  return found == words.end() ? nullptr : &*found;
}

const std::vector<LanguageWord>& language_words() {
  static const auto kWords = [] {
    std::vector<LanguageWord> words;
    add_tables(words);
    std::ranges::stable_sort(words, {}, &LanguageWord::word);
    const auto again = std::ranges::unique(words, {}, &LanguageWord::word);
    words.erase(again.begin(), again.end());
    return words;
  }();
  return kWords;
}

const LanguageWord* language_word(std::string_view word) {
  const auto& words = language_words();
  const auto found = std::ranges::lower_bound(words, word, {}, &LanguageWord::word);
  return found == words.end() || found->word != word ? nullptr : &*found;
}

}  // namespace wse::assembler
