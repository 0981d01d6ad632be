// Phrases that several statements have: types, ports, names with values, ranges of PEs.
//
// After an error, which is reported, the tokens have failed; what is returned then means nothing.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "asm/syntax/expression_parser.h"

namespace wse::assembler {

class PhraseParser {
 public:
  PhraseParser(TokenStream& tokens, ExpressionParser& exprs, Reporter& reporter)
      : tokens_(tokens), exprs_(exprs), reporter_(reporter) {}

  isa::Type type(std::string_view owner, bool may_be_colour);
  std::optional<isa::Port> port();
  Binding binding(std::string_view what);                            // NAME = expr
  void bindings(std::vector<Binding>& list, std::string_view what);  // NAME [= expr], ...
  RangeSyntax range();                                               // expr [.. expr [step expr]]
  RectSyntax rect();                                                 // at (range, range)

  // Reports an option of the vendor's that is written here.
  bool refuse_vendor_word();

 private:
  TokenStream& tokens_;
  ExpressionParser& exprs_;
  Reporter& reporter_;
};

}  // namespace wse::assembler
