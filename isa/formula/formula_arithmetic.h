// The operators of formulas on plain numbers: what evaluate() and the rows of formula_row.h share.
//
// False, or nothing: there is no result. Why, formula.cpp says.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "isa/formula/formula.h"
#include "isa/semantics/half.h"

namespace wse::isa::arithmetic {

inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// a - b * floor_divide(a, b), without the product, which may not fit.
inline std::int64_t floor_modulo(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest + (rest != 0 && (a < 0) != (b < 0) ? b : 0);
}

constexpr bool may_divide(std::int64_t a, std::int64_t b) {
  return b != 0 && (b != -1 || a != std::numeric_limits<std::int64_t>::min());
}
constexpr bool may_shift(std::int64_t count) { return count >= 0 && count <= 62; }

inline bool integer(FormulaOp op, std::int64_t a, std::int64_t b, std::int64_t& r) {
  switch (op) {
    case FormulaOp::Add: return !__builtin_add_overflow(a, b, &r);
    case FormulaOp::Subtract: return !__builtin_sub_overflow(a, b, &r);
    case FormulaOp::Multiply: return !__builtin_mul_overflow(a, b, &r);
    case FormulaOp::Divide:
      if (may_divide(a, b)) r = floor_divide(a, b);
      return may_divide(a, b);
    case FormulaOp::Modulo:
      if (may_divide(a, b)) r = floor_modulo(a, b);
      return may_divide(a, b);
    case FormulaOp::ShiftLeft:
      return may_shift(b) && !__builtin_mul_overflow(a, std::int64_t{1} << b, &r);
    case FormulaOp::ShiftRight:
      if (may_shift(b)) r = a >> b;
      return may_shift(b);
    case FormulaOp::BitAnd: r = a & b; return true;
    case FormulaOp::BitOr: r = a | b; return true;
    case FormulaOp::BitXor: r = a ^ b; return true;
    case FormulaOp::Minimum: r = std::min(a, b); return true;
    case FormulaOp::Maximum: r = std::max(a, b); return true;
    default: return false;
  }
}

inline bool real(FormulaOp op, double a, double b, double& r) {
  switch (op) {
    case FormulaOp::Add: r = a + b; return true;
    case FormulaOp::Subtract: r = a - b; return true;
    case FormulaOp::Multiply: r = a * b; return true;
    case FormulaOp::Divide: r = a / b; return true;
    case FormulaOp::Minimum: r = std::fmin(a, b); return true;
    case FormulaOp::Maximum: r = std::fmax(a, b); return true;
    default: return false;
  }
}

constexpr bool is_comparison(FormulaOp op) {
  return op >= FormulaOp::Equal && op <= FormulaOp::GreaterEqual;
}
static_assert(is_comparison(FormulaOp::NotEqual) && is_comparison(FormulaOp::Greater) &&
              !is_comparison(FormulaOp::BitAnd) && !is_comparison(FormulaOp::ShiftLeft));

template <class Value>
bool compare(FormulaOp op, Value a, Value b) {
  switch (op) {
    case FormulaOp::Equal: return a == b;
    case FormulaOp::NotEqual: return a != b;
    case FormulaOp::Less: return a < b;
    case FormulaOp::LessEqual: return a <= b;
    case FormulaOp::Greater: return a > b;
    default: return a >= b;
  }
}

// The bits of an f32 or f16. A NaN is the one quiet NaN.
template <class Value>
std::uint32_t float_bits(Value value, Type type) {
  if (type == Type::F16) return semantics::half_bits(static_cast<double>(value));
  const auto single = static_cast<float>(value);
  return std::isnan(single) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(single);
}

struct IntegerRange {
  std::int64_t low;
  std::int64_t high;
  bool contains(std::int64_t value) const { return value >= low && value <= high; }
};
IntegerRange integer_range(Type type);

}  // namespace wse::isa::arithmetic
