// Grammars for the colours of editors and web pages, made of the tables of the language. They are
// kept in scripts/editors; a test compares each with what is made here, and its tokens with those
// of the scanner.
//
// All consist of the same rules in the same order, the first that fits wins. A rule of words takes
// whole names only, so that every text is cut as the scanner cuts it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wse::lsp {

struct GrammarRule {
  std::string_view name;     // comment, string, float, mnemonic ...
  std::string pattern;       // as JavaScript, Python and Oniguruma read it
  bool is_of_words = false;  // a list of words; `name` takes the same texts
  std::vector<std::string> words{};
};
std::vector<GrammarRule> grammar_rules();

std::string textmate_grammar();        // wsa.tmLanguage.json
std::string vim_syntax();              // syntax/wsa.vim
std::string pygments_lexer();          // wsa_lexer.py
std::string tree_sitter_grammar();     // grammar.js
std::string tree_sitter_highlights();  // queries/highlights.scm
std::string tree_sitter_parser();      // src/parser.c

}  // namespace wse::lsp
