// A call, with the moves before and after it.
#include "asm/code/call_emitter.h"

#include <algorithm>

namespace wse::assembler {

using isa::Op;

bool CallEmitter::emit(const Line& line) {
  const BodySyntax& syntax = *line.syntax;
  if (syntax.name.text != isa::info(Op::Call).mnemonic || line.exprs.size() == 2) return false;
  if (line.exprs.empty()) return false;
  if (!e_.check_plain(syntax)) return true;
  if (line.exprs.size() > 1) {
    emit_with_arguments(line);
  } else if (const HeaderPlan* plan = names_.function(line.exprs[0])) {
    jump_into(*plan);
  }
  return true;
}

void CallEmitter::emit_with_arguments(const Line& line) {
  const HeaderPlan* plan = names_.function(line.exprs[1]);
  if (plan == nullptr || !takes(line, *plan)) return;
  const HeaderSyntax& header = *plan->syntax;
  Passed result{.to = plan->result};
  if (!read_passed(line, 0, header.result_type, operands_.read(line.exprs[0]), result)) return;
  std::vector<Passed> arguments(plan->arguments.size());
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    arguments[k].to = plan->arguments[k];
    if (!read_passed(line, k + 2, header.argument_types[k], operands_.read(line.exprs[k + 2]),
                     arguments[k])) {
      return;
    }
  }
  if (!keep_from_overwriting(arguments)) return;
  for (const Passed& argument : arguments) {
    if (!code_.move_into(argument.to, argument.operand, argument.type)) return;
  }
  jump_into(*plan);
  if (result.operand.kind == OperandKind::Memory) {
    code_.store(result.operand, result.to, result.type);
  } else {
    const OperandPlan from{.kind = OperandKind::Register, .number = result.to};
    code_.move_into(result.operand.number, from, result.type);
  }
}

bool CallEmitter::takes(const Line& line, const HeaderPlan& plan) {
  const std::size_t given = line.exprs.size() - 2;
  const bool fits = plan.arguments.size() == given;
  if (fits && plan.result != kNoRegister) return true;
  c_.reporter.report(Problem::CallFunction, c_.unit[line.exprs[1]].where, plan.syntax->name.text,
                     counted(static_cast<std::int64_t>(given), "argument"),
                     fits ? "it has no result" : fmt::format("it takes {}", plan.arguments.size()));
  return false;
}

bool CallEmitter::read_passed(const Line& line, std::size_t k, std::optional<isa::Type> type,
                              std::optional<OperandPlan> operand, Passed& passed) {
  if (!operand) return false;
  const std::string_view word = line.syntax->name.text;
  const bool is_value = operand->kind == OperandKind::Value;
  if (operand->is_vector() || (is_value && k == 0)) {
    const std::string_view wanted =
        k == 0 ? "a register or memory" : "a register, memory or a value";
    c_.reporter.report(Problem::WrongOperand, operand->where, describe(operand->kind), word, wanted,
                       "call destination, function, source ...; `map` goes through arrays");
    return false;
  }
  if (is_value && !type) {
    c_.reporter.report(Problem::CallValue, operand->where, c_.unit[line.exprs[1]].text);
    return false;
  }
  const std::optional<isa::Type> element = operand->element;
  passed.type = isa::operand_type_of(type.value_or(element.value_or(isa::Type::U32)));
  if (element && isa::operand_type_of(*element) != passed.type) {
    c_.reporter.report(Problem::ElementType, operand->where, c_.unit[line.exprs[1]].text,
                       isa::info(passed.type).text,
                       fmt::format("'{}'", c_.unit[line.exprs[k]].text), isa::info(*element).text);
    return false;
  }
  passed.operand = std::move(*operand);
  return true;
}

bool CallEmitter::keep_from_overwriting(std::vector<Passed>& passed) {
  for (std::size_t k = 1; k < passed.size(); ++k) {
    OperandPlan& operand = passed[k].operand;
    const bool is_register = operand.kind == OperandKind::Register;
    const bool is_overwritten = std::any_of(
        passed.begin(), passed.begin() + static_cast<std::ptrdiff_t>(k),
        [&](const Passed& earlier) {
          return is_register ? earlier.to == operand.number : operand.lies_by(earlier.to);
        });
    if (!is_overwritten) continue;
    const std::optional<std::uint32_t> kept = code_.scratch();
    if (!kept || !code_.move_into(*kept, operand, passed[k].type)) return false;
    operand = {.kind = OperandKind::Register, .where = operand.where, .number = *kept};
  }
  return true;
}

// The header of the function says where its return address goes.
void CallEmitter::jump_into(const HeaderPlan& plan) {
  code_.append_jump({.op = Op::Call, .destination = plan.link}, plan.label);
  code_.forget_descriptors();
  e_.ends = false;
}

}  // namespace wse::assembler
