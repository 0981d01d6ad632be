// The three instructions of a jump through a table.
#include "asm/code/table_emitter.h"

#include <fmt/format.h>

namespace wse::assembler {

using isa::Op;
using isa::OperandType;

bool TableEmitter::emit(const Line& line) {
  const BodySyntax& syntax = *line.syntax;
  const bool jumps = syntax.name.text == isa::info(Op::Jump).mnemonic && line.exprs.size() == 1;
  const bool calls = syntax.name.text == isa::info(Op::Call).mnemonic && line.exprs.size() == 2;
  if (!jumps && !calls) return false;
  const ExprId id = line.exprs.back();
  if (c_.unit[id].kind != ExprKind::Index) return false;
  if (!e_.check_plain(syntax)) return true;
  std::optional<OperandPlan> link;
  if (calls) link = operands_.read(line.exprs[0]);
  if (calls && !link) return true;
  if (calls && link->kind != OperandKind::Register) {
    c_.reporter.report(Problem::WrongOperand, link->where, describe(link->kind), syntax.name.text,
                       "a register", "call r9, table[register]");
    return true;
  }
  const std::optional<OperandPlan> entry = entry_of_table(line, id);
  if (!entry) return true;
  const std::optional<std::uint32_t> target = code_.in_register(*entry, OperandType::I32);
  if (!target) return true;
  if (calls) {
    // After the move itself and the return.
    const std::int64_t after =
        code_.position() + isa::info(Op::Mov32).words() + isa::info(Op::Return).words();
    const OperandPlan place{.where = syntax.name.where,
                            .formula = isa::Formula::of(isa::Number::of(after))};
    if (!code_.move_into(link->number, place, OperandType::I32)) return true;
  }
  code_.append({.op = Op::Return, .source_a = *target});
  code_.forget_descriptors();
  e_.ends = jumps;
  return true;
}

// The element of the table, whose index is in range or traps.
std::optional<OperandPlan> TableEmitter::entry_of_table(const Line& line, ExprId id) {
  const Expr& expr = c_.unit[id];
  const Meaning* meaning = c_.names.find(expr.text);
  const bool is_data = meaning != nullptr && meaning->kind == NameKind::Data;
  if (!is_data || !c_.data.line(meaning->index).is_table) {
    if (!c_.unit.broken_names.contains(expr.text)) {
      c_.reporter.report(Problem::NotTable, expr.where, expr.text);
    }
    return std::nullopt;
  }
  std::optional<OperandPlan> entry = operands_.read(id);
  if (!entry) return std::nullopt;
  if (entry->kind != OperandKind::Memory || !entry->formula.is_constant()) {
    c_.reporter.report(Problem::WrongOperand, entry->where, describe(entry->kind),
                       line.syntax->name.text, "an element whose index is a register or a constant",
                       fmt::format("{} {}[register]", line.syntax->name.text, expr.text));
    return std::nullopt;
  }
  if (!entry->index) return entry;
  const std::int64_t size = c_.program.symbols[meaning->index].count;
  isa::Instruction check{.op = Op::Assert, .source_a = *entry->index};
  check.condition = static_cast<std::uint32_t>(isa::Condition::Less);
  check.compared_type = static_cast<std::uint32_t>(isa::Type::U32);
  const isa::Formula limit = isa::Formula::of(isa::Number::of(size));
  if (!code_.set_scalar(check, limit, OperandType::I32, entry->where)) return std::nullopt;
  code_.append(check);
  return entry;
}

}  // namespace wse::assembler
