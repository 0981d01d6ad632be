// One of the two doors of the machine: who executes code. (The other: transport.h, who moves
// elements and wavelets.)
//
// An executor runs scalar code from stop point to stop point, and says what applies a vector
// instruction to a range of elements. It knows one PE at a time and no time but what the code
// charges; what it does must be what isa/semantics says, to the bit and to the cycle.
#pragma once

#include <cstdint>
#include <span>

#include "isa/semantics/ranges.h"
#include "isa/semantics/state.h"
#include "vm/time.h"

namespace wse::vm {

class StretchRecorder;

// A memory access of scalar code, told before it happens.
struct Access {
  std::uint32_t address = 0;
  std::uint32_t bytes = 4;
  bool writes = false;
};

// Says which accesses are allowed.
class AccessCheck {
 public:
  virtual ~AccessCheck() = default;

  // False to refuse it: the stretch then ends with Step::Trap, and whoever refused knows why.
  virtual bool allows(const Access& access) = 0;
};

// How far scalar code may go, and what it must not touch while instructions are in flight.
struct StretchLimits {
  std::uint64_t instructions = 0;
  AccessCheck* check = nullptr;  // none: all are allowed
  std::uint32_t saved = 0;  // bit k: one in flight writes back to dk; who uses it comes after that
  StretchRecorder* recorder = nullptr;  // keeps what is written; none: nothing is kept
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Executes from state.pc until an instruction does not end in Step::Next, or limits.instructions
  // are done (Step::Next then), or one uses a saved register (Step::Stop). `code` is that of the
  // program, indexed by code word.
  virtual isa::Step run(isa::ScalarState& state, std::span<const isa::Instruction> code,
                        const StretchLimits& limits) const = 0;

  // What applies a vector instruction.
  virtual isa::RangeFunction range(isa::Op op) const = 0;
};

}  // namespace wse::vm
