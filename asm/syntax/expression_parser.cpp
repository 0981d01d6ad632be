// Expressions by precedence climbing over formula_ops.def. Operands of instructions are expressions
// too: registers are names, slices and fabin(...) have kinds of their own.
#include "asm/syntax/expression_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "asm/syntax/text_parser.h"

namespace wse::assembler {
namespace {

using isa::FormulaOp;

constexpr std::size_t kMaxNesting = 4 * isa::kFormulaDepth;  // of the recursion, not of the tree

struct OperatorRow {
  FormulaOp op;
  std::string_view text;
  int precedence;  // 0: a function
  unsigned operands;
};
constexpr OperatorRow kOperators[] = {
#define OPERATOR(name, text, precedence, operands) {FormulaOp::name, text, precedence, operands},
#include "isa/formula/formula_ops.def"
#undef OPERATOR
};

// Whether an operator that is no function begins with the character.
constexpr auto kBeginsOperator = [] {
  std::array<bool, 256> begins{};
  for (const OperatorRow& row : kOperators) {
    if (row.precedence > 0) begins[static_cast<unsigned char>(row.text[0])] = true;
  }
  return begins;
}();

// The operator that `token` is, with that many operands; nullptr if it is no operator.
const OperatorRow* operator_of(const Token& token, unsigned operands) {
  const bool may_be = token.kind == TokenKind::Punctuation &&
                      kBeginsOperator[static_cast<unsigned char>(token.text[0])];
  if (!may_be) return nullptr;
  const auto* row = std::ranges::find_if(kOperators, [&](const OperatorRow& candidate) {
    return candidate.precedence > 0 && candidate.operands == operands &&
           candidate.text == token.text;
  });
  return row == std::end(kOperators) ? nullptr : row;
}

// Whether both places are on one line of one file, so that a range can span them.
bool on_one_line(const isa::SourceRange& a, const isa::SourceRange& b) {
  return a.line == b.line && a.file == b.file;
}

isa::SourceRange span(const isa::SourceRange& from, const isa::SourceRange& to) {
  isa::SourceRange where = from;
  if (on_one_line(from, to) && to.column + to.length > from.column) {
    where.length = to.column + to.length - from.column;
  }
  return where;
}

}  // namespace

ExprId ExpressionParser::make(Expr expr, const isa::SourceRange& from) {
  if (tokens_.failed()) return kNoExpr;
  expr.where = span(from, tokens_.last_place());
  expr.whole = on_one_line(from, tokens_.last_place());
  const auto hang = [&](ExprId child) {
    if (child == kNoExpr) return;
    expr.size += unit_[child].size;
    expr.depth = std::max<std::uint16_t>(expr.depth, unit_[child].depth + 1);
  };
  for (const ExprId child : expr.child) hang(child);
  for (std::uint32_t k = 0; has_arguments(expr.kind) && k < expr.count; ++k) {
    hang(unit_.arguments[expr.first + k].value);
  }
  if (expr.depth > isa::kFormulaDepth) {
    reporter_.report(Problem::TooDeep, expr.where, isa::kFormulaDepth);
    tokens_.fail();
    return kNoExpr;
  }
  unit_.exprs.push_back(expr);
  return static_cast<ExprId>(unit_.exprs.size() - 1);
}

ExprId ExpressionParser::make_operator(FormulaOp op, std::initializer_list<ExprId> operands) {
  if (tokens_.failed()) return kNoExpr;
  Expr expr{.kind = ExprKind::Operator, .op = op};
  for (const ExprId operand : operands) expr.child[expr.count++] = operand;
  return make(expr, unit_[*operands.begin()].where);
}

bool ExpressionParser::enter() {
  if (tokens_.failed()) return false;
  if (nesting_ < kMaxNesting) return true;
  reporter_.report(Problem::TooDeep, tokens_.peek().where, isa::kFormulaDepth);
  tokens_.fail();
  return false;
}

ExprId ExpressionParser::binary(int least) {
  if (!enter()) return kNoExpr;
  ++nesting_;
  ExprId left = unary();
  while (!tokens_.failed()) {
    const bool question = tokens_.peek().is("?");
    const OperatorRow* row = operator_of(tokens_.peek(), question ? 3 : 2);
    if (row == nullptr || row->precedence < least) break;
    tokens_.take();
    if (question) {
      left = select(left);
    } else {
      const ExprId right = binary(row->precedence + 1);
      left = make_operator(row->op, {left, right});
    }
  }
  --nesting_;
  return tokens_.failed() ? kNoExpr : left;
}

ExprId ExpressionParser::select(ExprId condition) {
  const ExprId yes = expression();
  tokens_.expect(":");
  const ExprId no = expression();
  return make_operator(FormulaOp::Select, {condition, yes, no});
}

ExprId ExpressionParser::unary() {
  const OperatorRow* row = operator_of(tokens_.peek(), 1);
  if (row == nullptr) return postfix();
  if (!enter()) return kNoExpr;
  ++nesting_;
  const isa::SourceRange from = tokens_.take().where;
  const bool literal = row->op == FormulaOp::Negate && tokens_.peek().kind == TokenKind::Integer;
  Expr expr{.kind = ExprKind::Operator, .op = row->op, .count = 1};
  ExprId result = kNoExpr;
  if (literal) {  // so that the smallest integer can be written
    result = number(true);
  } else {
    expr.child[0] = unary();
    result = make(expr, from);
  }
  --nesting_;
  return result;
}

ExprId ExpressionParser::postfix() {
  const Token& token = tokens_.peek();
  switch (token.kind) {
    case TokenKind::Integer:
    case TokenKind::Float: return number(false);
    case TokenKind::String: return text();
    case TokenKind::Name: return name();
    default: break;
  }
  if (token.is("[")) return list();
  const isa::SourceRange open = token.where;
  if (!tokens_.accept("(")) {
    tokens_.fail_expected("a value");
    return kNoExpr;
  }
  const ExprId inner = expression();
  tokens_.expect(")");
  if (tokens_.failed()) return kNoExpr;
  unit_.exprs[inner].grouped = true;
  unit_.exprs[inner].where = span(open, tokens_.last_place());
  unit_.exprs[inner].whole = on_one_line(open, tokens_.last_place());
  return inner;
}

ExprId ExpressionParser::plain() {
  if (tokens_.peek().kind != TokenKind::Name) return postfix();
  const Token token = tokens_.take();
  return make({.kind = ExprKind::Name, .text = token.text}, token.where);
}

ExprId ExpressionParser::address() {
  if (tokens_.peek().kind != TokenKind::Name) tokens_.fail_expected("a label");
  const Token label = tokens_.peek();
  const Argument argument{.value = plain()};
  unit_.takes_addresses = true;
  return make_with({.kind = ExprKind::Call, .text = kAddressFunction}, {argument}, label.where);
}

ExprId ExpressionParser::number(bool negative) {
  const isa::SourceRange sign = tokens_.last_place();
  const Token token = tokens_.take();
  std::string_view digits = token.text;
  isa::Number value;
  std::errc error{};
  if (token.kind == TokenKind::Float) {
    value = isa::Number::of(0.0);
    error = std::from_chars(digits.data(), digits.data() + digits.size(), value.real).ec;
    if (error == std::errc::result_out_of_range && digits.find("e-") != std::string_view::npos) {
      error = {};  // too small to be told from zero
    }
  } else {
    const int base = digits.starts_with("0x") ? 16 : digits.starts_with("0b") ? 2 : 10;
    if (base != 10) digits.remove_prefix(2);
    std::uint64_t bits = 0;
    error = std::from_chars(digits.data(), digits.data() + digits.size(), bits, base).ec;
    const std::uint64_t limit = std::uint64_t{1} << 63;
    if (bits > limit - (negative ? 0 : 1)) error = std::errc::result_out_of_range;
    value = isa::Number::of(static_cast<std::int64_t>(negative ? ~bits + 1 : bits));
  }
  if (error != std::errc{}) {
    reporter_.report(Problem::HugeNumber, token.where,
                     fmt::format("'{}'", token.text.substr(0, 40)));
    tokens_.fail();
  }
  const auto index = static_cast<std::uint32_t>(unit_.numbers.size());
  unit_.numbers.push_back(value);
  return make({.kind = ExprKind::Number, .first = index, .text = token.text},
              negative ? sign : token.where);
}

ExprId ExpressionParser::text() {
  const Token token = tokens_.take();
  std::optional<std::vector<TextPiece>> pieces = TextParser(unit_, reporter_).pieces(token);
  if (!pieces) {
    tokens_.fail();
    return kNoExpr;
  }
  Expr expr{.kind = ExprKind::Text, .text = token.text};
  expr.first = static_cast<std::uint32_t>(unit_.pieces.size());
  expr.count = static_cast<std::uint32_t>(pieces->size());
  expr.size += static_cast<std::uint32_t>((token.text.size() - 2) / kCharactersOfNode);
  for (const TextPiece& piece : *pieces) {
    if (piece.value != kNoExpr) expr.size += unit_[piece.value].size;
  }
  std::move(pieces->begin(), pieces->end(), std::back_inserter(unit_.pieces));
  return make(expr, token.where);
}

ExprId ExpressionParser::name() {
  const Token token = tokens_.take();
  if (tokens_.peek().is("(")) return call(token);
  if (tokens_.peek().is("[")) return index(token);
  return make({.kind = ExprKind::Name, .text = token.text}, token.where);
}

Argument ExpressionParser::argument() {
  Argument made;
  if (tokens_.peek().kind == TokenKind::Name && tokens_.peek_second().is("=")) {
    made.name = tokens_.expect_name("the name of an option");
    tokens_.take();
  }
  made.value = expression();
  return made;
}

ExprId ExpressionParser::make_with(Expr expr, const std::vector<Argument>& arguments,
                                   const isa::SourceRange& from) {
  if (tokens_.failed()) return kNoExpr;
  expr.count = static_cast<std::uint32_t>(arguments.size());
  expr.first = static_cast<std::uint32_t>(unit_.arguments.size());
  unit_.arguments.insert(unit_.arguments.end(), arguments.begin(), arguments.end());
  return make(expr, from);
}

ExprId ExpressionParser::call(const Token& name) {
  std::vector<Argument> arguments;
  tokens_.take();
  if (!tokens_.peek().is(")")) {
    do arguments.push_back(argument());
    while (tokens_.accept(","));
  }
  tokens_.expect(")");
  unit_.takes_addresses |= name.text == kAddressFunction;
  return make_with({.kind = ExprKind::Call, .text = name.text}, arguments, name.where);
}

ExprId ExpressionParser::list() {
  if (!enter()) return kNoExpr;
  ++nesting_;
  const Token open = tokens_.take();
  std::vector<Argument> values;
  do values.push_back({.value = expression()});
  while (tokens_.accept(","));
  tokens_.expect("]");
  --nesting_;
  return make_with({.kind = ExprKind::List}, values, open.where);
}

ExprId ExpressionParser::index(const Token& name) {
  std::vector<Argument> subscripts;
  tokens_.take();
  do subscripts.push_back({.value = subscript(name)});
  while (tokens_.accept(","));
  tokens_.expect("]");
  if (tokens_.failed()) return kNoExpr;
  if (subscripts.size() == 1) {
    Expr& only = unit_.exprs[subscripts[0].value];
    only.where = span(name.where, tokens_.last_place());
    only.whole = on_one_line(name.where, tokens_.last_place());
    return subscripts[0].value;
  }
  return make_with({.kind = ExprKind::Subscripts, .text = name.text}, subscripts, name.where);
}

// An index or a slice of what `name` names.
ExprId ExpressionParser::subscript(const Token& name) {
  Expr expr{.kind = ExprKind::Index, .text = name.text};
  const isa::SourceRange from = tokens_.peek().where;
  if (!tokens_.peek().is(":")) expr.child[0] = expression();
  if (!tokens_.failed() && tokens_.peek().is("..")) {
    reporter_.report(Problem::SliceDots, tokens_.peek().where, name.text);
    tokens_.fail();
  }
  for (std::size_t k = 1; k <= 2 && tokens_.accept(":"); ++k) {
    expr.kind = ExprKind::Slice;
    expr.counts |= k == 1 && tokens_.accept("+");
    const Token& next = tokens_.peek();
    if (!next.is(":") && !next.is("]") && !next.is(",")) expr.child[k] = expression();
  }
  return make(expr, from);
}

}  // namespace wse::assembler
