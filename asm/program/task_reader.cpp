// Finds tasks by name; what is not a name is read like any other operand.
#include "asm/program/task_reader.h"

#include "asm/program/operand_reader.h"

namespace wse::assembler {

using isa::TaskKind;

std::optional<OperandPlan> TaskReader::read(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name || expr.grouped) return operands_.read(id);
  if (const HeaderPlan* plan = c_.headers.task(expr.text)) return task_operand(expr, *plan);
  if (unknown_task(expr)) return std::nullopt;
  return operands_.read(id);
}

std::optional<OperandPlan> TaskReader::task_operand(const Expr& expr, const HeaderPlan& plan) {
  OperandPlan made{.where = expr.where};
  if (plan.syntax->kind == TaskKind::Teardown) {
    made.formula = isa::Formula::of(isa::Number::of(std::int64_t{isa::kTeardownId}));
    return made;
  }
  if (plan.syntax->kind == TaskKind::Main) {
    c_.reporter.report(Problem::NotActivated, expr.where, expr.text, "every PE starts with it");
  }
  if (!plan.id) return std::nullopt;
  made.formula = *plan.id;
  return made;
}

// A name that means nothing else either.
bool TaskReader::unknown_task(const Expr& expr) {
  const bool known = c_.names.find(expr.text) != nullptr ||
                     c_.globals.names.find(expr.text) != nullptr ||
                     is_reserved(expr.text, NameKind::Other);
  if (known) return false;
  if (c_.unit.broken_names.contains(expr.text)) return true;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.headers.offer_tasks(suggestion);
  c_.globals.names.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownTask, expr.where, expr.text, suggestion.best());
  return true;
}

// Refuses an id that no task of the kind has, where it is known before the run.
bool TaskReader::check(const OperandPlan& operand, ExprId id, bool activates) {
  if (operand.kind != OperandKind::Value || !operand.formula.is_constant()) return true;
  const isa::Number number = operand.formula.nodes[0].constant;
  const std::int64_t value = number.is_float ? -1 : number.integer;
  const bool may_be = value >= 0 && value < isa::kTaskIds;
  const auto task = static_cast<std::uint32_t>(value);
  if (activates && !(may_be && c_.headers.is_local(task))) {
    const std::string_view name = c_.unit[id].text;
    c_.reporter.report(Problem::NotActivated, operand.where,
                       name.empty() ? isa::to_text(number) : std::string(name),
                       "no local task has that id");
    return false;
  }
  const bool teardown = value == isa::kTeardownId && c_.headers.has_teardown();
  const bool known = may_be && (task < isa::kMaxColours || !c_.headers.is_free(task));
  if (activates || teardown || known) return true;
  c_.reporter.report(Problem::NoSuchId, operand.where, c_.syntax.name.text, isa::to_text(number));
  return false;
}

}  // namespace wse::assembler
