// Labels have places only when all code is written. A program that asks for one is written twice:
// no instruction is longer for another value, so the second time all labels lie where they lay.
#include "asm/program/program_addresses.h"

#include "asm/program/operand_reader.h"

namespace wse::assembler {

using isa::Formula;

std::optional<Formula> ProgramAddresses::address_of(ExprId id) const {
  const Expr& expr = c_.unit[id];
  const bool is_name = expr.kind == ExprKind::Name;
  const Meaning* meaning = is_name ? c_.names.find(expr.text) : nullptr;
  const bool is_data = meaning != nullptr && meaning->kind == NameKind::Data;
  if (is_name && !is_data) return code_address(expr);
  const bool may_be = is_name || expr.kind == ExprKind::Index || expr.kind == ExprKind::Slice ||
                      expr.kind == ExprKind::Subscripts;
  std::optional<OperandPlan> operand;
  if (may_be) {
    operand = OperandReader(c_).read(id);
    if (!operand) return std::nullopt;
  }
  if (operand && operand->kind == OperandKind::Memory && operand->is_fixed()) {
    return std::move(operand->formula);
  }
  const bool is_memory =
      operand && operand->descriptor && operand->descriptor->kind == isa::DescriptorKind::Memory;
  if (is_memory && operand->descriptor->run_time.empty()) {
    return std::move(operand->descriptor->address);
  }
  c_.reporter.report(Problem::AddressOf, expr.where);
  return std::nullopt;
}

std::optional<Formula> ProgramAddresses::code_address(const Expr& name) const {
  if (const std::optional<std::uint32_t> label = c_.labels.find(name.text, name.scope)) {
    return formula_of(c_.labels.earlier_place_of(*label));
  }
  if (c_.unit.broken_names.contains(name.text)) return std::nullopt;
  Suggestion suggestion(name.text, c_.reporter);
  c_.labels.offer_all(name.scope, suggestion);
  for (const isa::Symbol& symbol : c_.program.symbols) suggestion.offer(symbol.name);
  c_.reporter.report(Problem::AddressName, name.where, name.text, suggestion.best());
  return std::nullopt;
}

}  // namespace wse::assembler
