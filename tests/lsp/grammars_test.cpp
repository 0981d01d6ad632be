// The grammars of scripts/editors are those that the tables make (WSE_BLESS=1 writes them), and
// their rules cut every .wsa text of the tree as the scanner does.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "asm/text/scanner.h"
#include "asm/words.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "vm/cli/lsp/grammars.h"
#include "vm/cli/lsp/json.h"

namespace wse::lsp {
namespace {

using assembler::Token;
using assembler::TokenKind;

const std::filesystem::path kEditors = kTree / "scripts/editors";

// The rule whose tokens are of that kind.
std::string_view rule_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::Name: return "name";
    case TokenKind::Dotted: return "directive";
    case TokenKind::Integer: return "integer";
    case TokenKind::Float: return "float";
    case TokenKind::String: return "string";
    case TokenKind::Punctuation: return "punctuation";
    case TokenKind::Pragma: return "pragma";
    case TokenKind::BadNumber: return "bad_number";
    case TokenKind::OpenString: return "open_string";
    default: return "bad_bytes";
  }
}

struct Cut {
  std::string rule;
  std::string text;
  bool operator==(const Cut&) const = default;
};

std::vector<Cut> cuts_of_scanner(std::string_view text) {
  std::vector<Cut> cuts;
  assembler::Scanner scanner(text, {.line = 1});
  for (Token token = scanner.next(); token.kind != TokenKind::End; token = scanner.next()) {
    if (token.kind == TokenKind::Newline) continue;
    const std::string rule(rule_of(token.kind));
    for (const char c : rule == "bad_bytes" ? token.text : std::string_view()) {
      cuts.push_back({rule, std::string(1, c)});
    }
    if (rule != "bad_bytes") cuts.push_back({rule, std::string(token.text)});
  }
  return cuts;
}

class Cutter {
 public:
  Cutter() {
    for (const GrammarRule& rule : grammar_rules()) {
      if (!rule.is_of_words) rules_.emplace_back(rule.name, std::regex(rule.pattern));
    }
  }
  std::vector<Cut> cuts(const std::string& text) const {
    std::vector<Cut> found;
    for (auto at = text.begin(); at != text.end();) {
      if (std::string_view(" \t\r\n\f\v").find(*at) != std::string_view::npos) {
        ++at;
        continue;
      }
      std::smatch match;
      const auto rule = std::ranges::find_if(rules_, [&](const auto& candidate) {
        return std::regex_search(at, text.end(), match, candidate.second,
                                 std::regex_constants::match_continuous);
      });
      if (rule == rules_.end()) {
        ADD_FAILURE() << "no rule for " << *at;
        return found;
      }
      if (rule->first != "comment") found.push_back({std::string(rule->first), match.str()});
      at += match.length();
    }
    return found;
  }

 private:
  std::vector<std::pair<std::string_view, std::regex>> rules_;
};

TEST(Grammars, AreThoseOfTheTables) {
  const std::pair<std::string, std::string> files[] = {
      {"vscode/syntaxes/wsa.tmLanguage.json", textmate_grammar()},
      {"vim/syntax/wsa.vim", vim_syntax()},
      {"pygments/wsa_lexer.py", pygments_lexer()},
      {"tree-sitter/grammar.js", tree_sitter_grammar()},
      {"tree-sitter/queries/highlights.scm", tree_sitter_highlights()},
      {"tree-sitter/src/parser.c", tree_sitter_parser()}};
  for (const auto& [file, text] : files) {
    EXPECT_EQ(test_support::compare_with_golden(kEditors / file, text), "");
  }
}

TEST(Grammars, CutEveryTextAsTheScannerDoes) {
  const Cutter cutter;
  std::size_t tokens = 0;
  for (const std::filesystem::path& file : test_support::project_files(kTree)) {
    if (file.extension() != ".wsa") continue;
    const std::string text = test_support::read_text(kTree / file);
    if (text.size() > 20'000 || text.find('\x80') != std::string::npos) continue;
    const std::vector<Cut> wanted = cuts_of_scanner(text);
    const std::vector<Cut> found = cutter.cuts(text);
    const auto [one, other] = std::ranges::mismatch(wanted, found);
    EXPECT_TRUE(found == wanted) << file << ": "
                                 << (one == wanted.end() ? "" : one->rule + " " + one->text) << " "
                                 << (other == found.end() ? "" : other->rule + " " + other->text);
    tokens += wanted.size();
  }
  EXPECT_GE(tokens, 60'000u);
}

TEST(Grammars, GiveEachWordItsKind) {
  const std::map<std::string, std::string> samples = {
      {"fmacs", "mnemonic"}, {"task", "header"}, {"fabin", "function"}, {"width", "constant"},
      {"ramp", "port"},      {"f32", "type"},    {"within", "clause"},  {"packed", "option"},
      {"r15", "register"},   {"r15x", "name"},   {"add320", "name"},    {"x", "constant"}};
  for (const auto& [word, wanted] : samples) {
    const auto rules = grammar_rules();
    const auto rule = std::ranges::find_if(rules, [&word](const GrammarRule& candidate) {
      return std::regex_match(word, std::regex(candidate.pattern));
    });
    ASSERT_NE(rule, rules.end()) << word;
    EXPECT_EQ(rule->name, wanted) << word;
  }
  for (const auto& word : assembler::language_words()) {
    const auto rules = grammar_rules();
    EXPECT_TRUE(std::ranges::any_of(rules, [&word](const GrammarRule& rule) {
      return std::ranges::find(rule.words, word.word) != rule.words.end();
    })) << word.word;
  }
}

// A directive that the parser has and the tables of editors lack would have no colour and no help.
TEST(Grammars, EachDirectiveHasItsHelp) {
  const std::string table = test_support::read_text(kTree / "asm/syntax/directives.def");
  std::size_t rows = 0;
  for (const std::string& line : test_support::split_lines(table)) {
    const std::size_t at = line.find("_DIRECTIVE(\".");
    if (at == std::string::npos) continue;
    const std::size_t begin = line.find('"') + 1;
    const std::string word = line.substr(begin, line.find('"', begin) - begin);
    EXPECT_NE(assembler::directive_word(word), nullptr) << word << " in directive_help.def";
    ++rows;
  }
  EXPECT_GE(rows, 30u);
  EXPECT_NE(assembler::directive_word(".f16"), nullptr);
}

}  // namespace
}  // namespace wse::lsp
