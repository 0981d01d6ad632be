// Looks up operands. Judges nothing: checks.h does.
#include "vm/pe/operand.h"

#include <string_view>

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

Operand descriptor_operand(const isa::DescriptorRegisters& d, std::uint32_t number) {
  return {.kind = kind_of(d[number]), .register_number = number, .descriptor = d[number]};
}

Operand source_operand(const isa::DescriptorRegisters& d, const isa::Instruction& i,
                       isa::SourceKind kind, std::uint32_t number) {
  switch (kind) {
    case isa::SourceKind::Descriptor: return descriptor_operand(d, number);
    case isa::SourceKind::Scalar:
      return {.kind = Operand::Kind::Scalar, .register_number = kOperandS};
    case isa::SourceKind::Register: break;
  }
  const bool accumulates = i.destination_kind == 0 && number == i.destination;
  return {.kind = accumulates ? Operand::Kind::Register : Operand::Kind::Scalar,
          .register_number = number};
}

}  // namespace

Operands operands_of(const isa::DescriptorRegisters& d, const isa::Instruction& i) {
  Operands operands;
  operands.destination = i.destination_kind != 0 ? descriptor_operand(d, i.destination)
                                                 : Operand{.kind = Operand::Kind::Register,
                                                           .register_number = i.destination};
  operands.source[0] = source_operand(d, i, i.source_a_operand(), i.source_a);
  const std::string_view letters = isa::info(isa::info(i.op).format).operands;
  if (letters.find('B') != std::string_view::npos) {
    operands.source[1] = source_operand(d, i, i.source_b_operand(), i.source_b);
  }
  if (i.mapped != 0) operands.each = descriptor_operand(d, i.scalar);
  return operands;
}

}  // namespace wse::vm
