// Builds the formulas of values and refuses those that cannot be where they are.
#include "asm/program/value_reader.h"

#include <limits>

#include "asm/syntax/rewrites.h"

namespace wse::assembler {
namespace {

using isa::Formula;

// A formula that the image format would refuse is refused where it is written.
bool is_too_deep(const Formula& formula) {
  return formula.nodes.size() > isa::kFormulaDepth &&
         !isa::check(formula, std::numeric_limits<std::uint32_t>::max(),
                     std::numeric_limits<std::uint32_t>::max());
}

}  // namespace

std::optional<ExprId> ValueReader::first_argument(const Expr& call, std::string_view wanted) {
  if (call.count > 0) {
    const Argument& first = c_.unit.arguments[call.first];
    if (first.name.text.empty()) return first.value;
  }
  c_.reporter.report(Problem::ArgumentCount, call.where, call.text, wanted,
                     call.count == 0 ? "nothing" : "an option alone");
  return std::nullopt;
}

std::optional<Formula> ValueReader::integer(ExprId id) {
  std::optional<Formula> formula = c_.formulas().build(id);
  if (formula && c_.pools.may_be_float(*formula)) {
    c_.reporter.report(Problem::FloatIndex, c_.unit[id].where, "int(...)");
    c_.reporter.spells(enclosed(c_.unit[id], "int(", ")"));
    return std::nullopt;
  }
  return formula;
}

std::optional<Formula> ValueReader::integer(ExprId id, std::string_view what, std::int64_t least,
                                            std::int64_t most) {
  std::optional<Formula> formula = integer(id);
  if (!formula || !formula->is_constant()) return formula;
  const std::int64_t value = formula->nodes[0].constant.integer;
  if (value >= least && value <= most) return formula;
  c_.reporter.report(Problem::NotInRange, c_.unit[id].where, what, least, most, value);
  return std::nullopt;
}

std::optional<Formula> ValueReader::computed(isa::Result<Formula> formula, const Expr& expr) {
  if (!formula) {
    c_.reporter.report(Problem::CannotCompute, expr.where, formula.error());
    return std::nullopt;
  }
  if (is_too_deep(*formula)) {
    c_.reporter.report(Problem::TooDeep, expr.where, isa::kFormulaDepth);
    return std::nullopt;
  }
  return std::move(*formula);
}

std::optional<std::uint32_t> ValueReader::register_of(ExprId id) const {
  if (id == kNoExpr) return std::nullopt;
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name || expr.grouped) return std::nullopt;
  return c_.registers.find(expr.text);
}

}  // namespace wse::assembler
