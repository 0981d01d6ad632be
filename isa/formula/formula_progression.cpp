// One walk over the tree. Operations that are not linear must not depend on the element.
#include "isa/formula/formula_progression.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "isa/formula/formula_arithmetic.h"

namespace wse::isa {
namespace {

using Found = std::optional<Progression>;

class Finder {
 public:
  Finder(const Formula& formula, const FormulaPlace& place, std::uint32_t count)
      : nodes_(formula.nodes), place_(place), count_(count) {}

  Found at(std::size_t index) const {
    const FormulaNode& node = nodes_[index];
    switch (node.op) {
      case FormulaOp::Constant: return constant(node.constant);
      case FormulaOp::X: return Progression{place_.x};
      case FormulaOp::Y: return Progression{place_.y};
      case FormulaOp::Width: return Progression{place_.width};
      case FormulaOp::Height: return Progression{place_.height};
      case FormulaOp::I: return Progression{0, 1};
      case FormulaOp::Parameter: return variable(place_.parameters, node.index);
      case FormulaOp::Global: return variable(place_.globals, node.index);
      case FormulaOp::Select: return select(node);
      case FormulaOp::LogicalAnd:
      case FormulaOp::LogicalOr: return std::nullopt;
      default: return operator_info(node.op)->operands == 2 ? binary(node) : std::nullopt;
    }
  }

 private:
  static Found constant(const Number& number) {
    return number.is_float ? std::nullopt : Found(Progression{number.integer});
  }
  static Found variable(std::span<const Number> values, std::uint32_t index) {
    return index < values.size() ? constant(values[index]) : std::nullopt;
  }
  Found select(const FormulaNode& node) const {  // only the chosen side is looked at
    const Found choice = at(node.operand[0]);
    if (!choice || choice->step != 0) return std::nullopt;
    return at(node.operand[choice->first != 0 ? 1 : 2]);
  }

  Found binary(const FormulaNode& node) const {
    const Found a = at(node.operand[0]);
    if (!a) return std::nullopt;
    const Found b = at(node.operand[1]);
    if (!b) return std::nullopt;
    if (a->step == 0 && b->step == 0) return constants(node.op, a->first, b->first);
    const bool linear = node.op == FormulaOp::Add || node.op == FormulaOp::Subtract ||
                        (node.op == FormulaOp::Multiply && (a->step == 0 || b->step == 0));
    return linear ? combined(node.op, *a, *b) : std::nullopt;
  }

  static Found constants(FormulaOp op, std::int64_t a, std::int64_t b) {
    if (arithmetic::is_comparison(op)) return Progression{arithmetic::compare(op, a, b) ? 1 : 0};
    Progression r;
    return arithmetic::integer(op, a, b, r.first) ? Found(r) : std::nullopt;
  }

  // One of them at least rises. A value that fits at both ends fits between them.
  Found combined(FormulaOp op, const Progression& a, const Progression& b) const {
    Progression r;
    std::int64_t last = 0;
    const bool fits = arithmetic::integer(op, a.first, b.first, r.first) &&
                      arithmetic::integer(op, a.last(count_), b.last(count_), last);
    if (!fits) return std::nullopt;
    const bool product = op == FormulaOp::Multiply;
    const std::int64_t from = product && a.step == 0 ? a.first : a.step;
    const std::int64_t with = product && b.step == 0 ? b.first : b.step;
    return arithmetic::integer(op, from, with, r.step) ? Found(r) : std::nullopt;
  }

  const std::vector<FormulaNode>& nodes_;
  const FormulaPlace& place_;
  std::uint32_t count_;
};

template <class Element, class Convert>
void write(const Progression& p, std::uint32_t count, std::byte* to, Convert convert) {
  constexpr std::uint32_t kBlock = 64;
  std::array<Element, kBlock> block;
  const auto first = static_cast<std::uint32_t>(p.first);
  const auto step = static_cast<std::uint32_t>(p.step);
  for (std::uint32_t done = 0; done < count; done += kBlock) {
    for (std::uint32_t k = 0; k < kBlock; ++k) block[k] = convert(first + step * (done + k));
    const std::size_t elements = std::min(kBlock, count - done);
    std::memcpy(to + done * sizeof(Element), block.data(), elements * sizeof(Element));
  }
}

}  // namespace

std::optional<Progression> progression_of(const Formula& formula, const FormulaPlace& place,
                                          std::uint32_t count) {
  if (formula.nodes.empty() || count == 0) return std::nullopt;
  return Finder(formula, place, count).at(formula.nodes.size() - 1);
}

bool store(const Progression& progression, Type type, std::uint32_t count, std::byte* to) {
  const auto range =
      is_float(type) ? arithmetic::integer_range(Type::I32) : arithmetic::integer_range(type);
  if (!range.contains(progression.first) || !range.contains(progression.last(count))) return false;
  const auto value = [](std::uint32_t bits) { return static_cast<std::int32_t>(bits); };
  if (type == Type::F32) {
    write<float>(progression, count, to,
                 [&](std::uint32_t bits) { return static_cast<float>(value(bits)); });
  } else if (type == Type::F16) {
    write<std::uint16_t>(progression, count, to, [&](std::uint32_t bits) {
      return static_cast<std::uint16_t>(arithmetic::float_bits(value(bits), Type::F16));
    });
  } else if (info(type).bytes == sizeof(std::uint16_t)) {
    write<std::uint16_t>(progression, count, to,
                         [](std::uint32_t bits) { return static_cast<std::uint16_t>(bits); });
  } else {
    write<std::uint32_t>(progression, count, to, [](std::uint32_t bits) { return bits; });
  }
  return true;
}

}  // namespace wse::isa
