// The threads that move elements: a place for each that a program uses, what lies aside of them,
// and the slots of their PEs between two cycles.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isa/machine/profile.h"
#include "isa/support/mutant.h"
#include "vm/stepper/fifo_levels.h"
#include "vm/stepper/moving_thread.h"
#include "vm/stepper/pe_ramps.h"
#include "vm/stepper/pool.h"
#include "vm/stepper/stepped_pe.h"
#include "vm/support/prefetch.h"

namespace wse::vm {

// The threads of a PE have turns: those with the compute slot by number, then, kSlots later, those
// with the send slot by number. Sets of turns and sets of numbers are masks of bits.
namespace turns {

inline constexpr std::uint32_t kSlots = 16;
static_assert(1 + isa::kMicrothreads <= kSlots);
inline constexpr std::uint32_t kMainAlone = 1u << kMainThread;  // not with the send slot
inline constexpr std::uint32_t kSending = ~0u << kSlots;        // all with the send slot

inline std::uint32_t first(std::uint32_t set) {
  return static_cast<std::uint32_t>(std::countr_zero(set));
}
inline std::uint32_t without_first(std::uint32_t set) { return set & (set - 1); }
inline std::uint32_t numbers(std::uint32_t set) {
  return (set | set >> kSlots) & ((1u << kSlots) - 1);
}
// The one that comes first in a cycle.
inline std::uint32_t next(std::uint32_t set) {
  return isa::mutant(isa::Mutant::IssueOrder) ? std::bit_width(set) - 1u : first(set);
}

}  // namespace turns

class ThreadTable {
 public:
  // Both must live longer. The slots of a PE are `all_slots`, as bits.
  ThreadTable(SteppedPes& pes, const PeRamps& ramps, std::uint32_t all_slots)
      : ramps_(ramps), all_slots_(all_slots), pes_(pes) {}

  // Before the first cycle: the threads of the PE have lower numbers than `threads`.
  void set_threads(PeId pe, std::uint32_t threads);
  // The FIFOs of the PE, by number.
  void set_fifos(PeId pe, const std::vector<std::uint32_t>& capacities);
  // When all that is set.
  void open_places();

  const PeRange& pes() const { return pes_.range(); }
  IssuingPe& at(PeId pe) { return pes_[pe].issuing; }
  const IssuingPe& at(PeId pe) const { return pes_[pe].issuing; }
  // By its turn or its number.
  MovingThread& thread_of(const IssuingPe& state, std::uint32_t turn) const {
    return threads_[state.row + turn % turns::kSlots];
  }
  bool has_fifos(PeId pe) const {
    return !fifos_at_.empty() && fifos_at_[pes().index(pe)] != kNothing;
  }
  // The PE has some.
  FifoLevels& fifos(PeId pe) { return fifos_[fifos_at_[pes().index(pe)]]; }
  const FifoLevels& fifos(PeId pe) const { return fifos_[fifos_at_[pes().index(pe)]]; }

  // Finds the ramps of a thread that begins, which must be free, and room for its words.
  void begin(ThreadId id, const Flow& flow, Cycle earliest);
  // The thread does not move any more.
  void remove(IssuingPe& state, std::uint32_t number) {
    const MovingThread& thread = thread_of(state, number);
    if (thread.aside != kNothing) release(thread);
    state.moving &= ~(1u << number | 1u << (number + turns::kSlots));
  }

  // Returns what a thread of Course::Any has aside.
  FabricOperands& operands(const MovingThread& thread) { return operands_[thread.aside]; }
  const FabricOperands& operands(const MovingThread& thread) const {
    return operands_[thread.aside];
  }
  // Returns the words of the block, or the few.
  std::uint32_t* words_of(MovingThread& thread, std::uint32_t block) {
    return block == kNothing ? thread.few.data() : blocks_[block].data();
  }
  // Of Course::Any: those of its input k.
  std::uint32_t* words_in(MovingThread& thread, std::size_t k) {
    const std::uint32_t block = operands(thread).blocks_in[k];
    return block == kNothing ? &thread.few[k] : blocks_[block].data();
  }

  // For who will step the PE soon: the first threads that move, a little later the ramp of the
  // first.
  [[gnu::always_inline]] void prefetch_threads(const IssuingPe& state) const {
    const std::uint32_t others = turns::without_first(state.moving);
    if (state.moving != 0) prefetch(&thread_of(state, turns::first(state.moving)));
    if (others != 0) prefetch(&thread_of(state, turns::first(others)));
  }
  // Returns the number of the first thread that moves.
  std::optional<std::uint32_t> first_moving(PeId pe) const {
    const std::uint32_t moving = at(pe).moving;
    if (moving == 0) return std::nullopt;
    return turns::first(moving) % turns::kSlots;
  }
  // Asks for the parts that the first of them has aside, if it is of Course::Any.
  [[gnu::always_inline]] void prefetch_operands(PeId pe) const {
    const auto first = first_moving(pe);
    if (!first) return;
    const MovingThread& thread = thread_of(at(pe), *first);
    if (thread.course == Course::Any && thread.aside != kNothing) prefetch_all(operands(thread));
  }
  // False if it has none.
  [[gnu::always_inline]] bool prefetch_ramp(const IssuingPe& state) const {
    if (state.moving == 0) return false;
    const QueueId ramp = thread_of(state, turns::first(state.moving)).ramp;
    if (ramp == kNoQueue) return false;
    prefetch(&ramps_.queues()[ramp]);
    prefetch(ramps_.queues().second_line(ramp));
    return true;
  }

 private:
  void open(PeId pe, const Flow& flow, MovingThread& thread);
  void open_any(PeId pe, MovingThread& thread);
  // Gives back what the thread has aside.
  void release(const MovingThread& thread);

  const PeRamps& ramps_;
  std::uint32_t all_slots_;
  SteppedPes& pes_;
  std::vector<FifoLevels> fifos_;        // of the PEs that have some
  std::vector<std::uint32_t> fifos_at_;  // by PE: which of them, or kNothing; empty if none has any
  std::size_t places_ = 0;               // of threads, of all PEs
  mutable UntouchedTable<MovingThread> threads_;
  Pool<FabricOperands> operands_;
  Pool<WordBlock> blocks_;
};

}  // namespace wse::vm
