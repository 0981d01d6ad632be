// Expressions and operands by precedence climbing; it knows the operators and no name.
//
// Its recursion is bounded, whatever the source.
#pragma once

#include <initializer_list>
#include <vector>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "asm/text/token_stream.h"

namespace wse::assembler {

class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, Unit& unit, Reporter& reporter)
      : tokens_(tokens), unit_(unit), reporter_(reporter) {}

  // Each gives kNoExpr after a failure, which is reported.
  ExprId expression() { return binary(1); }
  ExprId postfix();  // a name, call, index, number, text or parentheses
  // The same, but a bracket after a name does not belong to it.
  ExprId plain();
  // A name as `address(name)`.
  ExprId address();

 private:
  ExprId binary(int least);
  ExprId unary();
  ExprId select(ExprId condition);
  ExprId number(bool negative);
  ExprId text();
  ExprId name();
  ExprId call(const Token& name);
  ExprId index(const Token& name);
  ExprId subscript(const Token& name);
  ExprId list();
  Argument argument();
  ExprId make(Expr expr, const isa::SourceRange& from);
  ExprId make_with(Expr expr, const std::vector<Argument>& arguments, const isa::SourceRange& from);
  ExprId make_operator(isa::FormulaOp op, std::initializer_list<ExprId> operands);
  bool enter();

  TokenStream& tokens_;
  Unit& unit_;
  Reporter& reporter_;
  std::size_t nesting_ = 0;
};

}  // namespace wse::assembler
