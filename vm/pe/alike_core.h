// The state that cores of a cohort have in common: all but their memory, what never changes, and
// the little that is named below. Each of them is a lane of it, and what its own core holds of this
// is stale, until somebody looks (core_table.h).
#pragma once

#include <array>
#include <cstdint>

#include "isa/support/mutant.h"
#include "vm/pe/core.h"
#include "vm/pe/succession.h"
#include "vm/pe/vector_ending.h"

namespace wse::vm {

class AlikeCore {
 public:
  AlikeCore() = default;
  AlikeCore(const AlikeCore&) = delete;
  AlikeCore& operator=(const AlikeCore&) = delete;

  // Becomes what that core is. `kept` is what it leaves to its next instruction.
  void take(const Core& from, const KeptSuccession& kept);

  Core& core() { return core_; }
  const Core& core() const { return core_; }
  const KeptSuccession& kept() const { return kept_; }

  // A state, of this or of another time: an AlikeCore that nobody needs becomes another one.
  struct Id {
    AlikeCore* at = nullptr;
    std::uint64_t serial = 0;

    bool is_there() const { return at != nullptr && at->serial == serial; }
  };
  Id id() { return {this, serial}; }

  std::uint64_t serial = 0;  // no other state has it
  std::uint32_t lanes = 0;   // how many cores are lanes of it

  // ---- what comes next, worked out for the first lane
  // An end of an instruction, as TransportClient tells it.
  struct End {
    std::uint32_t thread = 0;
    std::uint64_t elements = 0;
    Cycle cycle = kNever;

    bool operator==(const End&) const = default;
  };
  struct Ended {
    End end;
    Id then;  // the state after it
    VectorEnding ending;
  };
  // Null if it is not known.
  const Ended* after(const End& end) const {
    for (const Ended& known : ended_) {
      const bool is_same = known.end == end ||
                           (isa::mutant(isa::Mutant::CohortEnd) && known.end.thread == end.thread);
      if (is_same && known.then.is_there()) return &known;
    }
    return nullptr;
  }
  const Ended& note(const Ended& ended) { return ended_[next_++ % ended_.size()] = ended; }

  // The cohort of its lanes in cycle `visited` (cohorts.h), if it still has that number.
  struct CohortId {
    std::size_t at = 0;
    std::uint64_t number = 0;
  };
  Cycle visited = kNever;
  CohortId cohort;

 private:
  Core core_;
  KeptSuccession kept_;
  isa::DescriptorRegisters d_;
  std::array<InFlight, 1 + isa::kMicrothreads> slots_;
  std::array<Ended, 4> ended_;
  std::size_t next_ = 0;  // of ended_, to be written
};

// Gives a core what lanes have in common. Its own remain: memory, what it held that its stretch has
// changed, the last random number, the cycle of its last pick.
void take_alike(Core& to, const Core& from);

}  // namespace wse::vm
