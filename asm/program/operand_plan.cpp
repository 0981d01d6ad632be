// Parts that operands have in common.
#include "asm/program/operand_plan.h"

#include <algorithm>

namespace wse::assembler {

bool OperandPlan::lies_by(std::uint32_t number_of_register) const {
  return index == number_of_register || base == number_of_register ||
         std::ranges::any_of(terms, [number_of_register](const RegisterTerm& term) {
           return term.number == number_of_register;
         });
}

OperandPlan whole_array(const isa::Symbol& array, const isa::SourceRange& where) {
  OperandPlan made{.kind = OperandKind::Descriptor, .where = where};
  DescriptorPlan& plan = made.descriptor.emplace();
  plan.address = formula_of(array.address);
  plan.length = formula_of(array.count);
  plan.element = array.type;
  return made;
}

std::string_view describe(OperandKind kind) {
  switch (kind) {
    case OperandKind::Register: return "a register";
    case OperandKind::DescriptorRegister: return "a descriptor register";
    case OperandKind::Descriptor: return "a vector operand";
    case OperandKind::Memory: return "a place in memory";
    case OperandKind::Value: return "a value";
  }
  return "an operand";
}

}  // namespace wse::assembler
