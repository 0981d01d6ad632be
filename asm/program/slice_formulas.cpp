// Joins the formulas of the bounds.
#include "asm/program/slice_formulas.h"

#include "isa/support/mutant.h"

namespace wse::assembler {
namespace {

using isa::Formula;
using isa::FormulaOp;
using isa::Number;
using isa::Result;

bool is_zero(const Formula& formula) {
  return formula.is_constant() && formula.nodes[0].constant == Number::of(std::int64_t{0});
}

// a op b for a list of steps that may each fail; without terms that change nothing.
class Sum {
 public:
  explicit Sum(Formula start) : value_(std::move(start)) {}

  Sum& apply(FormulaOp op, const Formula& term) {
    const bool neutral = (op == FormulaOp::Add || op == FormulaOp::Subtract) && is_zero(term);
    if (value_ && !neutral) value_ = join(op, *value_, term);
    return *this;
  }
  Result<Formula> result() && { return std::move(value_); }

 private:
  Result<Formula> value_;
};

}  // namespace

Result<SliceFormulas> slice_formulas(std::optional<Formula> from, std::optional<Formula> to,
                                     std::int64_t step, std::int64_t count) {
  const bool forward = step > 0;
  if (!from) from = formula_of(forward ? 0 : count - 1);
  if (!to) to = formula_of(forward ? count : -1);
  const std::int64_t distance = forward ? step : -step;
  Sum length(forward ? *to : *from);
  length.apply(FormulaOp::Subtract, forward ? *from : *to);
  if (distance != 1) {
    const bool rounds_up = !isa::mutant(isa::Mutant::SliceRoundsDown);
    if (rounds_up) length.apply(FormulaOp::Add, formula_of(distance - 1));
    length.apply(FormulaOp::Divide, formula_of(distance));
  }
  const Result<Formula> elements = std::move(length).result();
  if (!elements) return std::unexpected(elements.error());
  const Result<Formula> bounded = join(FormulaOp::Maximum, formula_of(0), *elements);
  if (!bounded) return std::unexpected(bounded.error());
  return SliceFormulas{*from, *bounded};
}

}  // namespace wse::assembler
