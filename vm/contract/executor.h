// One of the two doors of the machine: who executes code. (The other: transport.h, who moves
// elements and wavelets.)
//
// An executor runs scalar code from stop point to stop point, and says what applies a vector
// instruction to a range of elements. It knows one PE at a time and no time but what the code
// charges; what it does must be what isa/semantics says, to the bit and to the cycle. Each strip
// has an executor of its own; an engine makes those of a machine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/machine/profile.h"
#include "isa/semantics/ranges.h"
#include "isa/semantics/state.h"
#include "vm/load/loaded_program.h"
#include "vm/support/time.h"

namespace wse::vm {

class StretchNotes;
class StretchRecorder;
class VectorPasser;

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
  StretchNotes* notes = nullptr;  // where it comes to; none: nobody asks. Code is interpreted then
  // Vector instructions and waits are passed while the stretch has done fewer instructions.
  std::uint64_t passes = 0;
  const VectorPasser* passer = nullptr;  // there if `passes` is not 0
};

// Work done in native code made for the program.
struct NativeWork {
  std::uint64_t instructions = 0;  // scalar ones, of all that were executed
  std::uint64_t regions = 0;       // of code that were compiled meanwhile
  std::uint64_t cached = 0;        // that an earlier process had compiled
  double compile_seconds = 0;
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Executes from state.pc until an instruction does not end in Step::Next, or limits.instructions
  // are done (Step::Next then), or one uses a saved register (Step::Stop).
  virtual isa::Step run(isa::ScalarState& state, const LoadedProgram& program,
                        const StretchLimits& limits) = 0;

  // Returns the function that applies a vector instruction.
  virtual isa::RangeFunction range(isa::Op op) const = 0;

  virtual NativeWork native_work() const { return {}; }
  // Returns what is wrong with the engine itself, if it has found something.
  virtual std::string problem() const { return {}; }
};

// Makes executors. One engine may serve several machines, also at a time.
class Engine {
 public:
  virtual ~Engine() = default;

  // As it is chosen on the command line, and told in records.
  virtual std::string_view name() const = 0;

  // Makes the executors of a machine, one for each of its strips. `image`, `profile` and
  // `programs`, which are in the order of their numbers, must stay.
  virtual std::vector<std::unique_ptr<Executor>> executors(const isa::Image& image,
                                                           const isa::Profile& profile,
                                                           std::span<const LoadedProgram> programs,
                                                           std::size_t count) const = 0;
};

}  // namespace wse::vm
