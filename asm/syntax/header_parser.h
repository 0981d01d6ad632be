// The lines that begin tasks and functions.
#pragma once

#include <optional>

#include "asm/syntax/phrase_parser.h"

namespace wse::assembler {

class HeaderParser {
 public:
  HeaderParser(TokenStream& tokens, ExpressionParser& exprs, PhraseParser& phrases)
      : tokens_(tokens), exprs_(exprs), phrases_(phrases) {}

  // From the name to the colon.
  HeaderSyntax header(bool is_function);

 private:
  void task(HeaderSyntax& made);
  void function(HeaderSyntax& made);
  void arguments(HeaderSyntax& made);
  std::optional<isa::Type> register_type();
  isa::Type argument_type();

  TokenStream& tokens_;
  ExpressionParser& exprs_;
  PhraseParser& phrases_;
};

}  // namespace wse::assembler
