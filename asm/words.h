// The words of the language with what they mean, for editors and grammars: made of the tables from
// which the parser and the scanner are made.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wse::assembler {

// A word with which a statement may begin: a directive, or the type of data.
struct DirectiveWord {
  std::string_view word;    // with its dot
  bool in_program = false;  // a line of a program; others end the program above them
  std::string_view form;
  std::string_view meaning;
};
std::span<const DirectiveWord> directive_words();
const DirectiveWord* directive_word(std::string_view word);

enum class WordKind : std::uint8_t {
  Mnemonic,  // also `map`
  Header,    // task, function
  Clause,    // words inside statements: at, with, on, step ...
  Function,  // of expressions and operands
  Constant,  // x, width, inf ...
  Port,
  Type,
  Option,  // before a '=' or after a comma of a descriptor
};

struct LanguageWord {
  std::string word;
  WordKind kind = WordKind::Clause;
};

// Sorted; a word that is of several kinds is there once, with the first of them.
const std::vector<LanguageWord>& language_words();
const LanguageWord* language_word(std::string_view word);

}  // namespace wse::assembler
