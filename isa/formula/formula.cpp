// Evaluation and checks of formulas. Printing is in formula_text.cpp.
#include "isa/formula/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "isa/formula/formula_arithmetic.h"
#include "isa/semantics/half.h"

namespace wse::isa {
namespace {

using Operands = std::span<const Number>;

Result<Number> overflow() { return fail("the result does not fit into 64 bits"); }

Result<Number> apply_integer(FormulaOp op, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (arithmetic::integer(op, a, b, r)) return Number::of(r);
  const bool divides = op == FormulaOp::Divide || op == FormulaOp::Modulo;
  const bool shifts = op == FormulaOp::ShiftLeft || op == FormulaOp::ShiftRight;
  if (divides && b == 0) return fail("division by zero");
  if (shifts && !arithmetic::may_shift(b)) return fail("a shift count must lie in 0..62");
  return overflow();
}

Result<Number> apply_float(FormulaOp op, double a, double b) {
  double r = 0;
  if (arithmetic::real(op, a, b, r)) return Number::of(r);
  return fail(fmt::format("'{}' works on integers; int(...) converts", operator_info(op)->text));
}

bool compare(FormulaOp op, const Number& a, const Number& b) {
  const bool real = a.is_float || b.is_float;
  return real ? arithmetic::compare(op, a.as_double(), b.as_double())
              : arithmetic::compare(op, a.integer, b.integer);
}

Result<Number> to_integer(const Number& a) {
  if (!a.is_float) return a;
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(a.real >= -kLimit && a.real < kLimit)) return overflow();
  return Number::of(static_cast<std::int64_t>(a.real));
}

Result<Number> apply_unary(FormulaOp op, const Number& a) {
  switch (op) {
    case FormulaOp::Negate:
      if (a.is_float) return Number::of(-a.real);
      return apply_integer(FormulaOp::Subtract, 0, a.integer);
    case FormulaOp::Not: return Number::of(std::int64_t{a.truth() ? 0 : 1});
    case FormulaOp::BitNot:
      if (a.is_float) return fail("'~' works on integers; int(...) converts");
      return Number::of(~a.integer);
    case FormulaOp::Absolute:
      if (a.is_float) return Number::of(std::fabs(a.real));
      return a.integer < 0 ? apply_integer(FormulaOp::Subtract, 0, a.integer) : a;
    case FormulaOp::ToInt: return to_integer(a);
    case FormulaOp::ToFloat: return Number::of(a.as_double());
    case FormulaOp::SquareRoot: return Number::of(std::sqrt(a.as_double()));
    default: return fail("not an operator of one operand");
  }
}

class Evaluator {
 public:
  Evaluator(const Formula& formula, const FormulaPlace& place)
      : nodes_(formula.nodes), place_(place) {}

  Result<Number> at(std::size_t index) const {
    const FormulaNode& node = nodes_[index];
    switch (node.op) {
      case FormulaOp::Constant: return node.constant;
      case FormulaOp::X: return Number::of(place_.x);
      case FormulaOp::Y: return Number::of(place_.y);
      case FormulaOp::Width: return Number::of(place_.width);
      case FormulaOp::Height: return Number::of(place_.height);
      case FormulaOp::I: return Number::of(place_.i);
      case FormulaOp::Parameter: return variable(place_.parameters, node.index);
      case FormulaOp::Global: return variable(place_.globals, node.index);
      case FormulaOp::Select: return select(node);
      case FormulaOp::LogicalAnd:
      case FormulaOp::LogicalOr: return logical(node);
      default: return operation(node);
    }
  }

 private:
  static Result<Number> variable(std::span<const Number> values, std::uint32_t index) {
    if (index >= values.size()) return fail("a parameter has no value here");
    return values[index];
  }
  Result<Number> select(const FormulaNode& node) const {  // only the chosen side is evaluated
    const Result<Number> choice = at(node.operand[0]);
    return choice ? at(node.operand[choice->truth() ? 1 : 2]) : choice;
  }
  Result<Number> logical(const FormulaNode& node) const {  // the right side only if it decides
    const Result<Number> left = at(node.operand[0]);
    if (!left) return left;
    const bool decided = left->truth() == (node.op == FormulaOp::LogicalOr);
    if (decided) return Number::of(std::int64_t{left->truth()});
    const Result<Number> right = at(node.operand[1]);
    return right ? Number::of(std::int64_t{right->truth()}) : right;
  }
  Result<Number> operation(const FormulaNode& node) const {
    Number operands[2];
    const unsigned count = operator_info(node.op)->operands;
    for (unsigned k = 0; k < count; ++k) {
      const Result<Number> value = at(node.operand[k]);
      if (!value) return value;
      operands[k] = *value;
    }
    return apply(node.op, Operands(operands, count));
  }

  const std::vector<FormulaNode>& nodes_;
  const FormulaPlace& place_;
};

}  // namespace

arithmetic::IntegerRange arithmetic::integer_range(Type type) {
  const auto range = []<class Integer>(Integer) -> arithmetic::IntegerRange {
    return {std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()};
  };
  switch (type) {
    case Type::I16: return range(std::int16_t{});
    case Type::U16: return range(std::uint16_t{});
    case Type::I32: return range(std::int32_t{});
    case Type::U32: return range(std::uint32_t{});
    case Type::Colour: return range(std::uint8_t{});
    case Type::F16:
    case Type::F32: break;
  }
  return {0, 0};
}

bool Number::operator==(const Number& other) const {
  return is_float == other.is_float && integer == other.integer &&
         std::bit_cast<std::uint64_t>(real) == std::bit_cast<std::uint64_t>(other.real);
}

Formula Formula::of(Number constant) {
  FormulaNode node;
  node.constant = constant;
  return {{node}};
}

Result<Number> apply(FormulaOp op, std::span<const Number> v) {
  if (op == FormulaOp::Select) return v[0].truth() ? v[1] : v[2];
  if (operator_info(op)->operands == 1) return apply_unary(op, v[0]);
  switch (op) {
    case FormulaOp::LogicalAnd: return Number::of(std::int64_t{v[0].truth() && v[1].truth()});
    case FormulaOp::LogicalOr: return Number::of(std::int64_t{v[0].truth() || v[1].truth()});
    default: break;
  }
  if (arithmetic::is_comparison(op)) return Number::of(std::int64_t{compare(op, v[0], v[1])});
  if (v[0].is_float || v[1].is_float) return apply_float(op, v[0].as_double(), v[1].as_double());
  return apply_integer(op, v[0].integer, v[1].integer);
}

Result<Number> evaluate(const Formula& formula, const FormulaPlace& place) {
  if (formula.nodes.empty()) return fail("an empty formula");
  return Evaluator(formula, place).at(formula.nodes.size() - 1);
}

Result<std::uint32_t> to_bits(const Number& number, Type type) {
  if (is_float(type)) {
    return number.is_float ? arithmetic::float_bits(number.real, type)
                           : arithmetic::float_bits(number.integer, type);
  }
  if (number.is_float) {
    return fail(fmt::format("{} is a float, but {} is needed; int(...) converts", to_text(number),
                            info(type).text));
  }
  if (!arithmetic::integer_range(type).contains(number.integer)) {
    return fail(fmt::format("{} does not fit into {}", number.integer, info(type).text));
  }
  const auto bits = static_cast<std::uint32_t>(number.integer);
  return info(type).bytes == 2 ? bits & 0xffffu : bits;
}

Number from_bits(std::uint32_t bits, Type type) {
  switch (type) {
    case Type::F32: return Number::of(static_cast<double>(std::bit_cast<float>(bits)));
    case Type::F16: return Number::of(static_cast<double>(semantics::canonical_half_value(bits)));
    case Type::I32: return Number::of(std::int64_t{static_cast<std::int32_t>(bits)});
    case Type::I16: return Number::of(std::int64_t{static_cast<std::int16_t>(bits)});
    case Type::U16: return Number::of(std::int64_t{static_cast<std::uint16_t>(bits)});
    case Type::U32:
    case Type::Colour: break;
  }
  return Number::of(std::int64_t{bits});
}

Status check(const Formula& formula, std::size_t parameters, std::size_t globals) {
  if (formula.nodes.empty()) return fail("an empty formula");
  struct Subtree {
    std::size_t root;
    std::size_t depth;
  };
  std::vector<Subtree> open;  // without a parent yet; in post-order an operator takes the last ones
  for (std::size_t k = 0; k < formula.nodes.size(); ++k) {
    const FormulaNode& node = formula.nodes[k];
    const OperatorInfo* op = operator_info(node.op);
    const std::size_t operands = op != nullptr ? op->operands : 0;
    if (operands > open.size()) return fail("a formula is no tree");
    const std::span<const Subtree> taken = std::span(open).last(operands);
    std::size_t depth = 0;
    for (std::size_t n = 0; n < operands; ++n) {
      if (node.operand[n] != taken[n].root) return fail("a formula is no tree");
      depth = std::max(depth, taken[n].depth);
    }
    if (depth >= kFormulaDepth) return fail("a formula is nested too deeply");
    open.resize(open.size() - operands);
    open.push_back({k, depth + 1});
    if ((node.op == FormulaOp::Parameter && node.index >= parameters) ||
        (node.op == FormulaOp::Global && node.index >= globals)) {
      return fail("a formula names a parameter that does not exist");
    }
  }
  if (open.size() != 1) return fail("a formula is no tree");
  return {};
}

bool uses(const Formula& formula, FormulaOp variable) {
  return std::ranges::any_of(formula.nodes,
                             [variable](const FormulaNode& node) { return node.op == variable; });
}

}  // namespace wse::isa
