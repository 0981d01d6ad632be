// The scanner: source text to tokens, one at a time, in one pass and without a table of words.
//
// It must never know a mnemonic or a directive: those come from tables of other files.
#pragma once

#include <string_view>

#include "asm/text/token.h"

namespace wse::assembler {

class Scanner {
 public:
  // `start` is the place of text[0]. `text` must live longer than the tokens.
  Scanner(std::string_view text, const isa::SourceRange& start);

  // The next token; TokenKind::End again and again at the end.
  Token next();

 private:
  Token token(TokenKind kind, const unsigned char* begin, const unsigned char* end);

  const unsigned char* position_;
  const unsigned char* end_;
  const unsigned char* line_begin_;  // where column `first_column_` of this line is
  isa::SourceRange place_;           // file and line now
  std::uint32_t first_column_;
};

}  // namespace wse::assembler
