// The dispatch loop. The meaning of instructions and their price stand in isa/semantics.
#include "vm/pe/interpreter.h"

namespace wse::vm {
namespace {

isa::Step step(isa::ScalarState& state, const isa::Instruction& instruction,
               const isa::CostTable& costs) {
  switch (instruction.op) {
#define INSTRUCTION(name, ...) \
  case isa::Op::name: return isa::execute<isa::Op::name>(state, instruction, costs);
#include "isa/instructions.def"
#undef INSTRUCTION
  }
  state.trap = isa::Trap::BadInstruction;
  return isa::Step::Trap;
}

// False if the instruction accesses memory and the check refuses it.
bool allowed(isa::ScalarState& state, const isa::Instruction& i, const AccessCheck& check) {
  const isa::Format format = isa::info(i.op).format;
  const std::uint32_t bytes = isa::info(i.op).result_bytes();
  constexpr std::uint32_t kDescriptor = sizeof(isa::StoredDescriptor);
  const std::uint32_t base = isa::semantics::scalar_operand(state, i);
  switch (format) {
    case isa::Format::Load: return check(state, {base, bytes, false});
    case isa::Format::LoadIndexed:
      return check(state, {base + bytes * state.r[i.source_a], bytes, false});
    case isa::Format::Store: return check(state, {base, bytes, true});
    case isa::Format::StoreIndexed:
      return check(state, {base + bytes * state.r[i.source_b], bytes, true});
    case isa::Format::DescriptorLoad: return check(state, {base, kDescriptor, false});
    case isa::Format::DescriptorStore: return check(state, {base, kDescriptor, true});
    default: return true;
  }
}

}  // namespace

std::uint32_t descriptor_registers(const isa::Instruction& i) {
  constexpr auto kDescriptor = static_cast<std::uint32_t>(isa::SourceKind::Descriptor);
  std::uint32_t set = 0;
  for (const char letter : isa::info(isa::info(i.op).format).operands) {
    const bool destination = letter == 'E' || (letter == 'D' && i.destination_kind != 0);
    const bool a = letter == 'F' || (letter == 'A' && i.source_a_kind == kDescriptor);
    const bool b = letter == 'B' && i.source_b_kind == kDescriptor;
    if (destination) set |= 1u << i.destination;
    if (a) set |= 1u << i.source_a;
    if (b) set |= 1u << i.source_b;
  }
  return set;
}

isa::Step run_stretch(isa::ScalarState& state, const isa::Instruction* code,
                      const isa::CostTable& costs, std::uint64_t budget, const Guards& guards) {
  const AccessCheck& check = guards.access;
  for (; budget > 0; --budget) {
    const isa::Instruction& instruction = code[state.pc];
    if (guards.saved != 0 && (descriptor_registers(instruction) & guards.saved) != 0) {
      return isa::Step::Stop;
    }
    if (check && !allowed(state, instruction, check)) return isa::Step::Trap;
    const isa::Step result = step(state, instruction, costs);
    if (result != isa::Step::Next) return result;
  }
  return isa::Step::Next;
}

}  // namespace wse::vm
