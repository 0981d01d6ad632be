// Operands that name a task or a colour: the value of its id.
#pragma once

#include <optional>

#include "asm/program/operand_plan.h"

namespace wse::assembler {

class OperandReader;

class TaskReader {
 public:
  // `operands` reads what names no task.
  TaskReader(ProgramContext& context, OperandReader& operands) : c_(context), operands_(operands) {}

  // Returns nothing after an error, which is reported.
  std::optional<OperandPlan> read(ExprId id);

  // Reports an id, known before the run, that no task of the kind has.
  bool check(const OperandPlan& operand, ExprId id, bool activates);

 private:
  std::optional<OperandPlan> task_operand(const Expr& expr, const HeaderPlan& plan);
  bool unknown_task(const Expr& expr);

  ProgramContext& c_;
  OperandReader& operands_;
};

}  // namespace wse::assembler
