// Reads mem(...): its options decide what it is.
#include "asm/program/memory_reader.h"

namespace wse::assembler {

using isa::Formula;
using Level = FormulaScope::Level;

std::optional<OperandPlan> MemoryReader::read(const Expr& expr) {
  const std::optional<ExprId> first = values_.first_argument(expr, "an address, then options");
  if (!first) return std::nullopt;
  const std::optional<std::uint32_t> base = values_.register_of(*first);
  std::optional<Formula> address = base ? formula_of(0) : values_.integer(*first);
  const std::optional<GivenOptions> given = read_options(c_.unit, expr, c_.reporter);
  if (!address || !given) return std::nullopt;
  if (!given->has(Option::Length)) return element_at(expr, *given, base, std::move(*address));
  if (given->has(Option::Index)) {
    c_.reporter.report(Problem::OptionsClash, given->where(Option::Index), "length", "index",
                       "one is of a vector operand, the other of an element");
    return std::nullopt;
  }
  OperandPlan made{.kind = OperandKind::Descriptor, .where = expr.where};
  DescriptorPlan& plan = made.descriptor.emplace();
  plan.address = std::move(*address);
  if (base) plan.run_time.terms.push_back({*base, 1});
  if (!dimensions(*given, plan)) return std::nullopt;
  return made;
}

// mem(address) and mem(address, index=register).
std::optional<OperandPlan> MemoryReader::element_at(const Expr& expr, const GivenOptions& given,
                                                    std::optional<std::uint32_t> base,
                                                    Formula address) {
  if (given.has(Option::Stride)) {
    c_.reporter.report(Problem::OptionValue, given.where(Option::Stride), "stride",
                       "a length beside it", "length=..., stride=...");
    return std::nullopt;
  }
  OperandPlan made{.kind = OperandKind::Memory, .where = expr.where, .formula = std::move(address)};
  made.base = base;
  if (!given.has(Option::Index)) return made;
  made.index = values_.register_of(given.value(Option::Index));
  if (made.index) return made;
  c_.reporter.report(Problem::OptionValue, given.where(Option::Index), "index", "a register here",
                     "mem(address, index=r1)");
  return std::nullopt;
}

// `[a, b]`, or one value.
std::vector<ExprId> MemoryReader::list_of(ExprId id) const {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::List) return {id};
  std::vector<ExprId> ids;
  for (std::uint32_t k = 0; k < expr.count; ++k) {
    ids.push_back(c_.unit.arguments[expr.first + k].value);
  }
  return ids;
}

bool MemoryReader::dimensions(const GivenOptions& given, DescriptorPlan& plan) {
  const std::vector<ExprId> lengths = list_of(given.value(Option::Length));
  std::vector<ExprId> strides(lengths.size() == 1 ? 1 : 0, kNoExpr);
  if (given.has(Option::Stride)) strides = list_of(given.value(Option::Stride));
  if (lengths.size() != strides.size() || lengths.size() > isa::kMaxDimensions) {
    c_.reporter.report(Problem::DimensionCount, given.where(Option::Length), lengths.size(),
                       strides.size(), isa::kMaxDimensions);
    return false;
  }
  const std::optional<std::uint32_t> count = values_.register_of(lengths[0]);
  const std::optional<std::uint32_t> step = values_.register_of(strides[0]);
  if ((count || step) && lengths.size() > 1) {
    c_.reporter.report(Problem::RegisterLength, c_.unit[count ? lengths[0] : strides[0]].where,
                       count ? "the number of elements" : "a step");
    return false;
  }
  plan.run_time.length_register = count;
  if (step) plan.run_time.stride = RegisterTerm{*step, 1};
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    std::optional<Formula> length =
        count ? formula_of(1) : values_.integer(lengths[k], "a length", 0, isa::kMaxLength);
    std::optional<std::int64_t> stride = 1;
    if (strides[k] != kNoExpr && !step) {
      stride = c_.formulas(Level::Fixed)
                   .whole(strides[k], "the stride", -isa::kMaxStride, isa::kMaxStride);
    }
    if (!length || !stride) return false;
    plan.add_dimension(std::move(*length), static_cast<std::int32_t>(*stride));
  }
  return true;
}

}  // namespace wse::assembler
