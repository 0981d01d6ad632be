// One scalar instruction of a stretch: what the limits ask for, then its meaning and its price
// (isa/semantics). Both engines are made of it: the interpreter compiles it into its loop, jit/
// into bitcode. Checks and records cost only where a stretch needs them.
#pragma once

#include <algorithm>

#include "isa/semantics/execute.h"
#include "vm/contract/executor.h"
#include "vm/pe/passing.h"
#include "vm/pe/stretch_log.h"
#include "vm/pe/stretch_notes.h"

namespace wse::vm {

// Bytes that one store changes at most; descriptors are more.
inline constexpr std::uint32_t kStored = 4;

// Returns the access of the instruction to memory, by its format.
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

// The needs of a stretch beside the instructions themselves.
struct Plain {
  static constexpr bool kGuarded = false;
  static constexpr bool kRecorded = false;
  static constexpr bool kNoted = false;
};
struct Recorded : Plain {
  static constexpr bool kRecorded = true;
};
struct Guarded : Recorded {
  static constexpr bool kGuarded = true;
};
// Interpreted alone: with notes of where the stretch comes to.
struct RecordedNoted : Recorded {
  static constexpr bool kNoted = true;
};
struct GuardedNoted : Guarded {
  static constexpr bool kNoted = true;
};

enum class StretchKind : std::uint8_t { Plain, Recorded, Guarded };
inline constexpr std::size_t kStretchKinds = 3;

inline StretchKind kind_of(const StretchLimits& limits) {
  if (limits.check != nullptr || limits.saved != 0) return StretchKind::Guarded;
  return limits.recorder != nullptr ? StretchKind::Recorded : StretchKind::Plain;
}

// Which fields of an instruction may name descriptor registers.
struct DescriptorFields {
  bool destination = false;       // always
  bool destination_kind = false;  // if its kind says so
  bool a = false;
  bool a_kind = false;
  bool b_kind = false;
};
constexpr DescriptorFields descriptor_fields(isa::Format format) {
  const std::string_view operands = isa::info(format).operands;
  return {.destination = operands.contains('E'),
          .destination_kind = operands.contains('D'),
          .a = operands.contains('F'),
          .a_kind = operands.contains('A'),
          .b_kind = operands.contains('B')};
}

// The descriptor registers that an instruction with those fields reads or writes, as bits.
constexpr std::uint32_t descriptor_registers(const isa::Instruction& i, DescriptorFields fields) {
  constexpr auto kDescriptor = static_cast<std::uint32_t>(isa::SourceKind::Descriptor);
  std::uint32_t set = 0;
  if (fields.destination || (fields.destination_kind && i.destination_kind != 0)) {
    set |= 1u << i.destination;
  }
  if (fields.a || (fields.a_kind && i.source_a_kind == kDescriptor)) set |= 1u << i.source_a;
  if (fields.b_kind && i.source_b_kind == kDescriptor) set |= 1u << i.source_b;
  if (i.mapped != 0) set |= 1u << i.scalar;
  return set;
}
inline std::uint32_t descriptor_registers(const isa::Instruction& i) {
  return descriptor_registers(i, descriptor_fields(isa::info(i.op).format));
}

// Whether the limits let the instruction execute; the step that ends the stretch otherwise.
template <class Kind, isa::Op kOp>
isa::Step prepare(isa::ScalarState& state, const isa::Instruction& i, const StretchLimits& limits) {
  constexpr isa::Format kFormat = isa::info(kOp).format;
  if constexpr (Kind::kGuarded) {
    constexpr DescriptorFields kFields = descriptor_fields(kFormat);
    if ((descriptor_registers(i, kFields) & limits.saved) != 0) return isa::Step::Stop;
    if constexpr (accesses_memory(kFormat)) {
      isa::semantics::wait_for_drain(state);
      const Access access = access_of<kFormat>(state, i, isa::info(kOp).result_bytes());
      if (limits.check != nullptr && !limits.check->allows(access)) return isa::Step::Trap;
    }
  }
  if constexpr (Kind::kRecorded && (accesses_memory(kFormat) || uses_descriptor(kFormat))) {
    const bool is_there = !Kind::kGuarded && !Kind::kNoted;
    if (is_there || limits.recorder != nullptr) record<kOp>(state, i, *limits.recorder);
  }
  return isa::Step::Next;
}

template <class Kind, isa::Op kOp>
isa::Step scalar_step(isa::ScalarState& state, const isa::Instruction& i,
                      const isa::CostTable& costs, const StretchLimits& limits) {
  const isa::Step prepared = prepare<Kind, kOp>(state, i, limits);
  return prepared == isa::Step::Next ? isa::execute<kOp>(state, i, costs) : prepared;
}

// Instructions that stop a stretch unless they are passed: synchronous vector instructions, and
// waits.
constexpr bool may_be_passed(isa::Op op) {
  return op == isa::Op::Wait || isa::info(op).is_vector();
}
constexpr bool may_be_passed(const isa::Instruction& i) {
  return may_be_passed(i.op) && (i.op == isa::Op::Wait || i.asynchronous == 0);
}

// Bursts count as if the stretch had been cut here.
inline void cut_burst(isa::ScalarState& s) {
  if (s.cycles_charged == s.burst_cycles) return;
  s.burst_cycles = s.cycles_charged;
  s.burst_from = s.instructions;
}

// False if pass() would stop there.
template <class Kind>
bool might_pass(const isa::ScalarState& s, const isa::Instruction& i, const StretchLimits& limits) {
  if constexpr (Kind::kGuarded) return false;
  return s.instructions < limits.passes && may_be_passed(i) && limits.passer->knows(s);
}

// The instruction at which a stretch would stop: Next if it has been passed. Not where accesses are
// checked: mostly something is in flight there.
template <class Kind>
isa::Step pass(isa::ScalarState& s, const isa::Instruction& i, const StretchLimits& limits) {
  if constexpr (Kind::kGuarded) return isa::Step::Stop;
  if (s.instructions >= limits.passes || !may_be_passed(i)) return isa::Step::Stop;
  if (i.op == isa::Op::Wait) {
    cut_burst(s);
    ++s.instructions;
  } else {
    StretchRecorder* const recorder = Kind::kRecorded ? limits.recorder : nullptr;
    if (!limits.passer->pass(s, i, recorder)) return isa::Step::Stop;
    ++s.instructions;
    cut_burst(s);
  }
  s.passed = true;
  s.pc += isa::info(i.op).words();
  return isa::Step::Next;
}

}  // namespace wse::vm
