// The interpreter of scalar code: runs a stretch up to the next point at which the machine must
// act.
#pragma once

#include <cstdint>
#include <functional>

#include "isa/semantics/execute.h"
#include "vm/pe/stretch_log.h"

namespace wse::vm {

// A memory access of scalar code, told before it happens.
struct Access {
  std::uint32_t address = 0;
  std::uint32_t bytes = 4;
  bool writes = false;
};

// Returns false to refuse the access: the stretch then ends in the trap that it left in the state.
using AccessCheck = std::function<bool(isa::ScalarState& state, const Access& access)>;

// What scalar code must not touch while instructions are in flight.
struct Guards {
  AccessCheck access{};     // may be empty
  std::uint32_t saved = 0;  // bit k: one in flight writes back to dk; who uses it comes after that
  StretchRecorder* recorder = nullptr;  // keeps what is written; none: nothing is kept
};

// The descriptor registers that an instruction reads or writes, as bits.
std::uint32_t descriptor_registers(const isa::Instruction& instruction);

// Executes from state.pc until an instruction does not end in Step::Next, or `budget` instructions
// are done (Step::Next then), or one uses a saved register (Step::Stop). `code` is indexed by code
// word.
isa::Step run_stretch(isa::ScalarState& state, const isa::Instruction* code,
                      const isa::CostTable& costs, std::uint64_t budget, const Guards& guards);

}  // namespace wse::vm
