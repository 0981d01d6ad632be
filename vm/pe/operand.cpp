// Looks up operands. Judges nothing: checks.h does.
#include "vm/pe/operand.h"

#include "isa/semantics/control.h"

namespace wse::vm {
namespace {

Operand::Kind kind_of(const isa::Descriptor& descriptor) {
  switch (descriptor.kind) {
    case isa::DescriptorKind::Memory:
    case isa::DescriptorKind::Circular: return Operand::Kind::Memory;
    case isa::DescriptorKind::FabricIn: return Operand::Kind::FabricIn;
    case isa::DescriptorKind::FabricOut: return Operand::Kind::FabricOut;
    case isa::DescriptorKind::Fifo: return Operand::Kind::Fifo;
    case isa::DescriptorKind::Indexed: return Operand::Kind::Indexed;
    case isa::DescriptorKind::None: break;
  }
  return Operand::Kind::Unset;
}

Operand descriptor_operand(const isa::ScalarState& state, std::uint32_t number) {
  const isa::Descriptor& descriptor = state.d[number];
  return {
      .kind = kind_of(descriptor), .register_number = number, .word = 0, .descriptor = descriptor};
}

Operand source_operand(const isa::ScalarState& state, const isa::Instruction& i,
                       isa::SourceKind kind, std::uint32_t number) {
  switch (kind) {
    case isa::SourceKind::Descriptor: return descriptor_operand(state, number);
    case isa::SourceKind::Scalar:
      return {.kind = Operand::Kind::Scalar,
              .register_number = 0,
              .word = isa::semantics::scalar_operand(state, i),
              .descriptor = {}};
    case isa::SourceKind::Register: break;
  }
  const bool accumulates = i.destination_kind == 0 && number == i.destination;
  return {.kind = accumulates ? Operand::Kind::Register : Operand::Kind::Scalar,
          .register_number = number,
          .word = state.r[number],
          .descriptor = {}};
}

}  // namespace

Operands operands_of(const isa::ScalarState& state, const isa::Instruction& i) {
  Operands operands;
  operands.destination = i.destination_kind != 0 ? descriptor_operand(state, i.destination)
                                                 : Operand{.kind = Operand::Kind::Register,
                                                           .register_number = i.destination,
                                                           .word = state.r[i.destination],
                                                           .descriptor = {}};
  operands.source[0] = source_operand(state, i, i.source_a_operand(), i.source_a);
  const std::string_view letters = isa::info(isa::info(i.op).format).operands;
  if (letters.find('B') != std::string_view::npos) {
    operands.source[1] = source_operand(state, i, i.source_b_operand(), i.source_b);
  }
  operands.scalar = isa::semantics::scalar_operand(state, i);
  return operands;
}

}  // namespace wse::vm
