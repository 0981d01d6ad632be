// The dispatch loop. The meaning of instructions and their price stand in isa/semantics.
#include "vm/pe/interpreter.h"

#include <algorithm>

namespace wse::vm {
namespace {

constexpr std::uint32_t kStored = 4;  // bytes that one store changes at most; descriptors are more

// What the instruction accesses in memory, by its format.
template <isa::Format kFormat>
Access access_of(const isa::ScalarState& state, const isa::Instruction& i, std::uint32_t bytes) {
  constexpr std::uint32_t kDescriptor = sizeof(isa::StoredDescriptor);
  const std::uint32_t base = isa::semantics::scalar_operand(state, i);
  if constexpr (kFormat == isa::Format::LoadIndexed) {
    return {base + bytes * state.r[i.source_a], bytes, false};
  } else if constexpr (kFormat == isa::Format::StoreIndexed) {
    return {base + bytes * state.r[i.source_b], bytes, true};
  } else if constexpr (kFormat == isa::Format::DescriptorLoad) {
    return {base, kDescriptor, false};
  } else if constexpr (kFormat == isa::Format::DescriptorStore) {
    return {base, kDescriptor, true};
  } else {
    return {base, bytes, kFormat == isa::Format::Store};
  }
}

constexpr bool accesses_memory(isa::Format format) {
  return isa::info(format).operands.contains('@');
}
constexpr bool writes_descriptor(isa::Format format) {
  return isa::info(format).operands.contains('E');
}

constexpr bool uses_descriptor(isa::Format format) {
  return writes_descriptor(format) || isa::info(format).operands.contains('F');
}

// Tells the recorder what the instruction will write and which descriptor registers it uses.
template <isa::Op kOp>
void record(const isa::ScalarState& state, const isa::Instruction& i, StretchRecorder& recorder) {
  constexpr isa::Format kFormat = isa::info(kOp).format;
  if constexpr (kFormat == isa::Format::Store || kFormat == isa::Format::StoreIndexed ||
                kFormat == isa::Format::DescriptorStore) {
    const Access access = access_of<kFormat>(state, i, isa::info(kOp).result_bytes());
    for (std::uint32_t done = 0; done < access.bytes; done += kStored) {
      recorder.before_store(state, access.address + done, std::min(access.bytes, kStored));
    }
  }
  if constexpr (isa::info(kFormat).operands.contains('F')) recorder.before_use(state, i.source_a);
  if constexpr (kFormat == isa::Format::DescriptorSet) {
    recorder.before_use(state, i.destination);
  } else if constexpr (writes_descriptor(kFormat)) {
    recorder.before_overwrite(i.destination);
  }
}

// False if the check refuses the access to memory.
template <isa::Op kOp>
bool allowed(isa::ScalarState& state, const isa::Instruction& i, const AccessCheck& check) {
  constexpr isa::Format kFormat = isa::info(kOp).format;
  return check(state, access_of<kFormat>(state, i, isa::info(kOp).result_bytes()));
}

template <isa::Op kOp>
isa::Step guarded(isa::ScalarState& state, const isa::Instruction& i, const isa::CostTable& costs,
                  const StretchLimits& limits) {
  constexpr isa::Format kFormat = isa::info(kOp).format;
  if constexpr (accesses_memory(kFormat)) {
    if (limits.access && !allowed<kOp>(state, i, limits.access)) return isa::Step::Trap;
  }
  if constexpr (accesses_memory(kFormat) || uses_descriptor(kFormat)) {
    if (limits.recorder != nullptr) record<kOp>(state, i, *limits.recorder);
  }
  return isa::execute<kOp>(state, i, costs);
}

isa::Step step(isa::ScalarState& state, const isa::Instruction& instruction,
               const isa::CostTable& costs, const StretchLimits& limits) {
  switch (instruction.op) {
#define INSTRUCTION(name, ...) \
  case isa::Op::name: return guarded<isa::Op::name>(state, instruction, costs, limits);
#include "isa/instructions.def"
#undef INSTRUCTION
  }
  state.trap = isa::Trap::BadInstruction;
  return isa::Step::Trap;
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

isa::Step Interpreter::run(isa::ScalarState& state, std::span<const isa::Instruction> code,
                           const StretchLimits& limits) const {
  for (std::uint64_t left = limits.instructions; left > 0; --left) {
    const isa::Instruction& instruction = code[state.pc];
    if (limits.saved != 0 && (descriptor_registers(instruction) & limits.saved) != 0) {
      return isa::Step::Stop;
    }
    const isa::Step result = step(state, instruction, costs_, limits);
    if (result != isa::Step::Next) return result;
  }
  return isa::Step::Next;
}

}  // namespace wse::vm
