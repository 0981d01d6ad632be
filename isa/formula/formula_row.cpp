// Nodes are in post-order and are used once, so a stack of columns is all that a row needs.
#include "isa/formula/formula_row.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "isa/formula/formula_arithmetic.h"
#include "isa/formula/formula_progression.h"

namespace wse::isa {
namespace {

// Calls visit(op) with `op` as a constant, so that a loop inside knows what it does.
template <class Visit>
bool with_operator(FormulaOp op, Visit visit) {
  switch (op) {
#define OPERATOR(name, text, precedence, operands) \
  case FormulaOp::name: return visit(std::integral_constant<FormulaOp, FormulaOp::name>{});
#include "isa/formula/formula_ops.def"
#undef OPERATOR
    default: return false;
  }
}

}  // namespace

bool FormulaRow::fill(const Formula& formula, FormulaPlace place, Type type, std::uint32_t count,
                      std::byte* to) {
  const std::optional<Progression> progression = progression_of(formula, place, count);
  if (progression && isa::store(*progression, type, count, to)) return true;
  const std::size_t bytes = info(type).bytes;
  for (std::uint32_t first = 0; first < count; first += kElements) {
    const std::uint32_t elements = std::min(kElements, count - first);
    place.i = first;
    if (!compute(formula, place, elements)) return false;
    if (!store(stack_[0], type, elements, to + first * bytes)) return false;
  }
  return true;
}

bool FormulaRow::compute(const Formula& formula, const FormulaPlace& place, std::uint32_t count) {
  depth_ = 0;
  for (const FormulaNode& node : formula.nodes) {
    bool computed = true;
    switch (node.op) {
      case FormulaOp::Constant: push_constant(node.constant, count); break;
      case FormulaOp::X: push_constant(Number::of(place.x), count); break;
      case FormulaOp::Y: push_constant(Number::of(place.y), count); break;
      case FormulaOp::Width: push_constant(Number::of(place.width), count); break;
      case FormulaOp::Height: push_constant(Number::of(place.height), count); break;
      case FormulaOp::I: {
        Column& column = push();
        column.is_float = false;
        std::iota(column.integer.begin(), column.integer.begin() + count, place.i);
        break;
      }
      case FormulaOp::Parameter:
        computed = push_variable(place.parameters, node.index, count);
        break;
      case FormulaOp::Global: computed = push_variable(place.globals, node.index, count); break;
      case FormulaOp::Select: computed = select(count); break;
      default:
        computed =
            operator_info(node.op)->operands == 1 ? unary(node.op, count) : binary(node.op, count);
    }
    if (!computed) return false;
  }
  return depth_ == 1;
}

FormulaRow::Column& FormulaRow::push() {
  if (depth_ == stack_.size()) stack_.emplace_back();
  return stack_[depth_++];
}

void FormulaRow::push_constant(const Number& number, std::uint32_t count) {
  Column& column = push();
  column.is_float = number.is_float;
  if (number.is_float) {
    std::fill_n(column.real.begin(), count, number.real);
  } else {
    std::fill_n(column.integer.begin(), count, number.integer);
  }
}

bool FormulaRow::push_variable(std::span<const Number> values, std::uint32_t index,
                               std::uint32_t count) {
  if (index >= values.size()) return false;
  push_constant(values[index], count);
  return true;
}

void FormulaRow::make_real(Column& column, std::uint32_t count) {
  if (column.is_float) return;
  for (std::uint32_t k = 0; k < count; ++k) column.real[k] = static_cast<double>(column.integer[k]);
  column.is_float = true;
}

bool FormulaRow::unary(FormulaOp op, std::uint32_t count) {
  Column& a = stack_[depth_ - 1];
  if (op == FormulaOp::ToFloat) {
    make_real(a, count);
    return true;
  }
  if (op != FormulaOp::Negate) return false;
  bool computed = true;
  for (std::uint32_t k = 0; k < count; ++k) {
    if (a.is_float) {
      a.real[k] = -a.real[k];
    } else {
      computed &= arithmetic::integer(FormulaOp::Subtract, 0, a.integer[k], a.integer[k]);
    }
  }
  return computed;
}

bool FormulaRow::binary(FormulaOp op, std::uint32_t count) {
  if (op == FormulaOp::LogicalAnd || op == FormulaOp::LogicalOr) return false;
  Column& a = stack_[depth_ - 2];
  Column& b = stack_[--depth_];
  if (a.is_float || b.is_float) {
    make_real(a, count);
    make_real(b, count);
  }
  const bool real = a.is_float;
  if (arithmetic::is_comparison(op)) a.is_float = false;
  return with_operator(op, [&](auto known) {
    bool computed = true;
    for (std::uint32_t k = 0; k < count; ++k) {
      if constexpr (arithmetic::is_comparison(known())) {
        a.integer[k] = real ? arithmetic::compare(known(), a.real[k], b.real[k])
                            : arithmetic::compare(known(), a.integer[k], b.integer[k]);
      } else if (real) {
        computed &= arithmetic::real(known(), a.real[k], b.real[k], a.real[k]);
      } else {
        computed &= arithmetic::integer(known(), a.integer[k], b.integer[k], a.integer[k]);
      }
    }
    return computed;
  });
}

// Both sides are computed; one that has no value where it is not chosen is rare.
bool FormulaRow::select(std::uint32_t count) {
  Column& choice = stack_[depth_ - 3];
  const Column& yes = stack_[depth_ - 2];
  const Column& no = stack_[depth_ - 1];
  depth_ -= 2;
  if (choice.is_float || yes.is_float != no.is_float) return false;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Column& chosen = choice.integer[k] != 0 ? yes : no;
    if (yes.is_float) {
      choice.real[k] = chosen.real[k];
    } else {
      choice.integer[k] = chosen.integer[k];
    }
  }
  choice.is_float = yes.is_float;
  return true;
}

bool FormulaRow::store(const Column& column, Type type, std::uint32_t count, std::byte* to) {
  std::array<std::uint32_t, kElements> bits;
  if (!bits_of(column, type, count, bits.data())) return false;
  if (info(type).bytes == sizeof bits[0]) {
    std::memcpy(to, bits.data(), count * sizeof bits[0]);
    return true;
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto half = static_cast<std::uint16_t>(bits[k]);
    std::memcpy(to + k * sizeof half, &half, sizeof half);
  }
  return true;
}

bool FormulaRow::bits_of(const Column& column, Type type, std::uint32_t count,
                         std::uint32_t* bits) {
  if (is_float(type)) {
    for (std::uint32_t k = 0; k < count; ++k) {
      bits[k] = column.is_float ? arithmetic::float_bits(column.real[k], type)
                                : arithmetic::float_bits(column.integer[k], type);
    }
    return true;
  }
  if (column.is_float) return false;
  const arithmetic::IntegerRange range = arithmetic::integer_range(type);
  bool fits = true;
  for (std::uint32_t k = 0; k < count; ++k) {
    fits &= range.contains(column.integer[k]);
    bits[k] = static_cast<std::uint32_t>(column.integer[k]);
  }
  return fits;
}

}  // namespace wse::isa
