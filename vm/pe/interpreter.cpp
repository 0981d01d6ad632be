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
  const std::uint32_t base = isa::semantics::scalar_operand(state, i);
  switch (format) {
    case isa::Format::Load: return check(state, {base, bytes, false});
    case isa::Format::LoadIndexed:
      return check(state, {base + bytes * state.r[i.source_a], bytes, false});
    case isa::Format::Store: return check(state, {base, bytes, true});
    case isa::Format::StoreIndexed:
      return check(state, {base + bytes * state.r[i.source_b], bytes, true});
    default: return true;
  }
}

}  // namespace

isa::Step run_stretch(isa::ScalarState& state, const isa::Instruction* code,
                      const isa::CostTable& costs, std::uint64_t budget, const AccessCheck& check) {
  for (; budget > 0; --budget) {
    const isa::Instruction& instruction = code[state.pc];
    if (check && !allowed(state, instruction, check)) return isa::Step::Trap;
    const isa::Step result = step(state, instruction, costs);
    if (result != isa::Step::Next) return result;
  }
  return isa::Step::Next;
}

}  // namespace wse::vm
