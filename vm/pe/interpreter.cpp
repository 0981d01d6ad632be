// The dispatch loop. The meaning of instructions and their price stand in isa/semantics.
//
// The loop works on a copy of the state that nothing else can see, so that pc and charges stay in
// registers of the host. It is compiled once for each kind of stretch: what must be checked or
// recorded costs only where it must.
#include "vm/pe/interpreter.h"

#include <algorithm>

namespace wse::vm {
namespace {

constexpr std::uint32_t kStored = 4;  // bytes that one store changes at most; descriptors are more

// What the instruction accesses in memory, by its format.
template <isa::Format kFormat>
Access access_of(const isa::PeState& state, const isa::Instruction& i, std::uint32_t bytes) {
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
void record(const isa::PeState& state, const isa::Instruction& i, StretchRecorder& recorder) {
  constexpr isa::Format kFormat = isa::info(kOp).format;
  if constexpr (kFormat == isa::Format::Store || kFormat == isa::Format::StoreIndexed ||
                kFormat == isa::Format::DescriptorStore) {
    const Access access = access_of<kFormat>(state, i, isa::info(kOp).result_bytes());
    for (std::uint32_t done = 0; done < access.bytes; done += kStored) {
      recorder.before_store(access.address + done, std::min(access.bytes, kStored));
    }
  }
  if constexpr (isa::info(kFormat).operands.contains('F')) recorder.before_use(i.source_a);
  if constexpr (kFormat == isa::Format::DescriptorSet) {
    recorder.before_use(i.destination);
  } else if constexpr (writes_descriptor(kFormat)) {
    recorder.before_overwrite(i.destination);
  }
}

// What a stretch needs beside the instructions themselves.
struct Plain {
  static constexpr bool kGuarded = false;
  static constexpr bool kRecorded = false;
};
struct Recorded {
  static constexpr bool kGuarded = false;
  static constexpr bool kRecorded = true;
};
struct Guarded {
  static constexpr bool kGuarded = true;
  static constexpr bool kRecorded = true;
};

// Whether the limits let the instruction execute; the step that ends the stretch otherwise.
template <class Kind, isa::Op kOp>
isa::Step prepare(isa::ScalarState& state, const isa::Instruction& i, const StretchLimits& limits) {
  constexpr isa::Format kFormat = isa::info(kOp).format;
  if constexpr (Kind::kGuarded) {
    if (limits.saved != 0 && (descriptor_registers(i) & limits.saved) != 0) return isa::Step::Stop;
    if constexpr (accesses_memory(kFormat)) {
      const Access access = access_of<kFormat>(state, i, isa::info(kOp).result_bytes());
      if (limits.check != nullptr && !limits.check->allows(access)) return isa::Step::Trap;
    }
  }
  if constexpr (Kind::kRecorded && (accesses_memory(kFormat) || uses_descriptor(kFormat))) {
    if (!Kind::kGuarded || limits.recorder != nullptr) record<kOp>(state, i, *limits.recorder);
  }
  return isa::Step::Next;
}

template <class Kind, isa::Op kOp>
isa::Step step(isa::ScalarState& state, const isa::Instruction& i, const isa::CostTable& costs,
               const StretchLimits& limits) {
  const isa::Step prepared = prepare<Kind, kOp>(state, i, limits);
  return prepared == isa::Step::Next ? isa::execute<kOp>(state, i, costs) : prepared;
}

template <class Kind>
[[gnu::flatten]] isa::Step run_as(isa::ScalarState& seen, const isa::Instruction* code,
                                  const isa::CostTable& costs, const StretchLimits& limits) {
  isa::ScalarState state = seen;
  isa::Step result = isa::Step::Next;
  for (std::uint64_t left = limits.instructions; left > 0 && result == isa::Step::Next; --left) {
    const isa::Instruction& i = code[state.pc];
    switch (i.op) {
#define INSTRUCTION(name, ...) \
  case isa::Op::name: result = step<Kind, isa::Op::name>(state, i, costs, limits); break;
#include "isa/instructions.def"
#undef INSTRUCTION
    }
  }
  seen = state;
  return result;
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
  if (limits.check != nullptr || limits.saved != 0)
    return run_as<Guarded>(state, code.data(), costs_, limits);
  if (limits.recorder != nullptr) return run_as<Recorded>(state, code.data(), costs_, limits);
  return run_as<Plain>(state, code.data(), costs_, limits);
}

}  // namespace wse::vm
