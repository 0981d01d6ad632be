// The comparison of an assertion.
#include "asm/code/assert_emitter.h"

#include <algorithm>

namespace wse::assembler {
namespace {

using isa::FormulaOp;
using isa::OperandType;

// The row of conditions.def for the text of an operator.
std::optional<std::uint32_t> condition_of(FormulaOp op) {
  const auto* const found = std::ranges::find(isa::kConditionTexts, isa::operator_info(op)->text);
  if (found == std::end(isa::kConditionTexts)) return std::nullopt;
  return static_cast<std::uint32_t>(found - std::begin(isa::kConditionTexts));
}

}  // namespace

void AssertEmitter::emit(Line& line) {
  const Named& name = line.syntax->name;
  const Expr& expr = c_.unit[line.exprs[0]];
  const bool comparison =
      expr.kind == ExprKind::Operator && expr.count == 2 && condition_of(expr.op).has_value();
  if (!comparison) {
    c_.reporter.report(Problem::NoComparison, expr.where, name.text, usage(*line.row));
    return;
  }
  if (!e_.check_async(line)) return;
  line.exprs = std::span(expr.child, 2);
  for (const ExprId side : line.exprs) {
    std::optional<OperandPlan> operand = operands_.read(side);
    if (!operand) return;
    line.operands.push_back(std::move(*operand));
  }
  const std::optional<isa::Type> type = compared_type(line);
  if (!type) return;
  isa::InstructionInfo row = *line.row;
  const OperandType operand = isa::operand_type_of(*type);
  row.types = {operand, {operand, operand, operand}};
  line.row = &row;
  Work work{.instruction = {.op = row.op}};
  work.instruction.condition = *condition_of(expr.op);
  work.instruction.compared_type = static_cast<std::uint32_t>(*type);
  if (scalars_.fill_source(line, 0, work.instruction.source_a) &&
      scalars_.fill_scalar(line, 1, work)) {
    e_.finish(line, work);
  }
}

// Returns the type that the line names, else that of the data on a side, else that of the value.
std::optional<isa::Type> AssertEmitter::compared_type(const Line& line) {
  if (line.syntax->type != kNoType) return e_.type_of(c_.unit.types[line.syntax->type]);
  bool real = false;
  for (const OperandPlan& operand : line.operands) {
    if (operand.element) return operand.element;
    if (operand.kind == OperandKind::Value) real |= c_.pools.may_be_float(operand.formula);
  }
  return real ? isa::Type::F32 : isa::Type::I32;
}

}  // namespace wse::assembler
