// The issue slots of the PEs: which thread moves elements in which cycle.
//
// shared: one slot per cycle, main thread first, then microthreads 0..7.
// duplex: sends (memory and scalars in, fabric out) have a second slot; the up-ramp still takes one
//         wavelet per cycle, the compute slot first.
// A thread that cannot continue lets the next one have the slot.
//
// How threads begin: issuer_threads.cpp. What they wait for and who has the slot: issuer.cpp. What
// goes through: issuer_words.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/machine/profile.h"
#include "isa/support/mutant.h"
#include "vm/contract/boundary.h"
#include "vm/contract/relay.h"
#include "vm/ledger/ledger.h"
#include "vm/stepper/fabric.h"
#include "vm/stepper/fifo_levels.h"
#include "vm/stepper/moving_thread.h"
#include "vm/stepper/pool.h"
#include "vm/support/agenda.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"

namespace wse::vm {

class Issuer {
 public:
  // All references must live longer than the issuer.
  Issuer(const PeRange& pes, const isa::Profile& profile, Fabric& fabric, Agenda& agenda,
         Ledger& ledger);

  // Before the first cycle: the threads of the PE have lower numbers than `threads`.
  void set_threads(PeId pe, std::uint32_t threads);
  // The FIFOs of the PE, by number.
  void set_fifos(PeId pe, const std::vector<std::uint32_t>& capacities);
  // When all that is set.
  void connect(Relay& client);

  // The thread, which must be free, moves elements from cycle `earliest` on.
  void begin(ThreadId thread, const Flow& flow, Cycle earliest);

  // The thread has moved nothing: forgets it.
  void cancel(ThreadId thread);

  // Scalar code of the main thread holds the (compute) slot in cycles from .. until - 1.
  void hold_slot(PeId pe, Cycle until) { at(pe).scalar_until = until; }

  // True if a bank conflict holds the (compute) slot in this cycle.
  bool slot_held(PeId pe, Cycle now) const { return now < at(pe).held_until[0]; }

  // Issues what can issue on the PE in this cycle. True if it must be looked at in the next.
  bool step(PeId pe, Cycle now) { return now >= at(pe).quiet_until && step_pe(pe, at(pe), now); }

  // For who will step the PE soon: the first threads that move, a little later the ramp of the
  // first.
  [[gnu::always_inline]] void prefetch_threads(PeId pe) const {
    const Pe& state = at(pe);
    const std::uint32_t others = without_first(state.moving);
    if (state.moving != 0) prefetch(&thread_of(state, first_of(state.moving)));
    if (others != 0) prefetch(&thread_of(state, first_of(others)));
  }

  [[gnu::always_inline]] void prefetch_ramp(PeId pe) const {
    const Pe& state = at(pe);
    if (state.moving == 0) return;
    const QueueId ramp = thread_of(state, first_of(state.moving)).ramp;
    if (ramp == kNoQueue) return;
    prefetch(&fabric_.queues()[ramp]);
    prefetch(fabric_.queues().second_line(ramp));
  }

  // Where the machine stops, before cycle `end`: applies what has issued but was kept back, so that
  // memory and counters are exact.
  void flush(Cycle end);

  // For explanations.
  std::vector<WaitingThread> waiting(PeId pe, Cycle now) const;
  // The PE has some.
  const FifoLevels& fifos(PeId pe) const { return fifos_[fifos_at_[range_.index(pe)]]; }

 private:
  static constexpr std::uint32_t kComputeSlot = 0;
  static constexpr std::uint32_t kSendSlot = 1;
  // Sets of slots, as bits.
  static constexpr std::uint32_t kOneSlot = 1u << kComputeSlot;
  static constexpr std::uint32_t kBothSlots = kOneSlot | 1u << kSendSlot;
  static std::uint32_t slots_of(const isa::Profile& profile);

  struct Pe {
    std::uint32_t row = 0;       // the place of thread 0; that of thread k is k places further
    std::uint32_t moving = 0;    // threads, by turn
    Cycle quiet_until = kNever;  // before this cycle nothing can issue, whatever routers do
    Cycle scalar_until = 0;      // scalar code has the compute slot before this cycle
    std::array<Cycle, 2> held_until = {0, 0};  // bank conflicts hold the compute, the send slot

    bool has_all_slots(Cycle now) const {
      return now >= scalar_until && now >= held_until[0] && now >= held_until[1];
    }
  };
  // The slots of one PE in one cycle.
  struct Slots {
    std::uint32_t taken = 0;  // as bits: compute, send
    std::uint32_t ended = 0;  // threads that have nothing left to issue, by number
    bool stalled = false;
    bool up_ramp = false;
    bool issued = false;
    bool wants_output = false;
    bool wants_input = false;
    Cycle wake = kNever;

    bool is_taken(std::uint32_t slot) const { return (taken >> slot & 1) != 0; }
    Activity activity() const {
      if (stalled) return Activity::MemoryStall;
      if (wants_output) return Activity::WaitOutput;
      return wants_input ? Activity::WaitInput : Activity::Idle;
    }
  };

  Pe& at(PeId pe) { return pes_[range_.index(pe)]; }
  const Pe& at(PeId pe) const { return pes_[range_.index(pe)]; }

  // The threads of a PE have turns: those with the compute slot by number, then, kSlotTurns later,
  // those with the send slot by number. Sets of turns and sets of numbers are masks of bits.
  static constexpr std::uint32_t kSlotTurns = 16;
  static_assert(1 + isa::kMicrothreads <= kSlotTurns);
  static constexpr std::uint32_t kMainAlone = 1u << kMainThread;  // not with the send slot
  static std::uint32_t first_of(std::uint32_t set) {
    return static_cast<std::uint32_t>(std::countr_zero(set));
  }
  static std::uint32_t without_first(std::uint32_t set) { return set & (set - 1); }
  static std::uint32_t numbers(std::uint32_t turns) {
    return (turns | turns >> kSlotTurns) & ((1u << kSlotTurns) - 1);
  }
  static std::uint32_t next_turn(std::uint32_t turns) {
    return isa::mutant(isa::Mutant::IssueOrder) ? std::bit_width(turns) - 1u : first_of(turns);
  }
  // By its turn or its number.
  MovingThread& thread_of(const Pe& state, std::uint32_t turn) const {
    return threads_[state.row + turn % kSlotTurns];
  }

  // ---- issuer_threads.cpp
  // Finds the ramps of a thread that begins, and room for its words.
  void open(PeId pe, const Flow& flow, MovingThread& thread);
  void open_any(PeId pe, MovingThread& thread);
  void release(const MovingThread& thread);

  // ---- issuer.cpp: steps are inline by force, as each has one caller or two
  bool step_pe(PeId pe, Pe& state, Cycle now);
  // The same where one thread moves, can issue in this cycle and is a Receive: a long stream.
  bool receive_alone(PeId pe, Pe& state, MovingThread& thread, Cycle now);
  // The same of all others.
  bool step_all(PeId pe, Pe& state, Cycle now);
  [[gnu::always_inline]] inline bool note_issue(PeId pe, Pe& state, const Slots& slots, Cycle now);
  [[gnu::always_inline]] inline Slots slots_at_start(const Pe& state, Cycle now) const;
  [[gnu::always_inline]] inline void try_threads(PeId pe, Pe& state, Slots& slots, Cycle now);
  void note_gap(PeId pe, const Pe& state, Cycle now);
  // Only the main thread moves, and needs nothing but its slot.
  bool may_leave_alone(const Pe& state) const {
    return state.moving == kMainAlone && thread_of(state, kMainThread).course == Course::Memory;
  }
  // It has issued in this cycle: nobody looks at it before its last issue. False if that must be.
  bool leave_alone(PeId pe, Pe& state);
  bool is_unseen(const Pe& state) const {
    return state.moving == kMainAlone && thread_of(state, kMainThread).unseen;
  }
  // Counts the issues before cycle `end` that were not seen. The cycle of the last, plus 1.
  Cycle catch_up(PeId pe, const Pe& state, Cycle end);
  // The thread, which may issue, does if it need not wait. True if it did.
  [[gnu::always_inline]] inline bool try_thread(PeId pe, MovingThread& thread, Slots& slots,
                                                Cycle now);
  // The next element moves if it can; true if it did.
  [[gnu::always_inline]] inline bool receive(PeId pe, MovingThread& thread, Cycle now);
  [[gnu::always_inline]] inline bool send(PeId pe, MovingThread& thread, const Slots& slots,
                                          Cycle now);
  bool try_any(PeId pe, MovingThread& thread, Slots& slots, Cycle now);
  // Takes control wavelets that are where the next element should come from; true if it did.
  bool take_controls(PeId pe, MovingThread& thread, Cycle now);
  FifoLevels& fifos(PeId pe) { return fifos_[fifos_at_[range_.index(pe)]]; }
  void refuse_rest(PeId pe, const MovingThread& thread);
  void end_early(PeId pe, MovingThread& thread, Cycle next);
  bool fifos_filled(PeId pe, const MovingThread& thread, Cycle now) const;
  bool fifo_has_room(PeId pe, const MovingThread& thread, Cycle now) const;
  bool inputs_ready(const MovingThread& thread, Cycle now) const;
  bool output_ready(const MovingThread& thread, const Slots& slots, Cycle now) const;
  // Threads, by number, that have issued all; the first have issued in this cycle.
  void end_issued(PeId pe, Pe& state, std::uint32_t ended, Cycle now);
  void remove_ended(PeId pe, Pe& state, std::uint32_t ended);

  // ---- issuer_words.cpp
  void issue(PeId pe, MovingThread& thread, Cycle now);
  void issue_words(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now);
  void move_fifos(PeId pe, FifoLevels& fifos, const MovingThread& thread, Cycle now);
  void apply_received(PeId pe, MovingThread& thread, Cycle now);
  void apply_inputs(PeId pe, MovingThread& thread, std::uint64_t end, std::uint32_t* word_out,
                    Cycle now);
  std::uint32_t next_word_out(PeId pe, MovingThread& thread, std::uint32_t* words,
                              std::uint64_t end, Cycle now);
  // The wavelet that carries the element before `end`.
  void inject(const MovingThread& thread, QueueId up, std::uint32_t word, std::uint64_t end,
              Cycle now) {
    const Flow& flow = *thread.flow;
    const bool advances = flow.advance && end == thread.length;
    fabric_.inject(up, Wavelet(word, flow.control, advances), now);
  }
  // Returns the words of the block, or the few.
  std::uint32_t* words_of(MovingThread& thread, std::uint32_t block) {
    return block == kNothing ? thread.few.data() : blocks_[block].data();
  }
  // Of Course::Any.
  std::uint32_t* words_in(MovingThread& thread, const FabricOperands& fabric, std::size_t k);
  void apply_rest(PeId pe, MovingThread& thread);

  Fabric& fabric_;
  Agenda& agenda_;
  Ledger& ledger_;
  Relay* client_ = nullptr;
  std::uint32_t all_slots_;  // of a PE, as bits
  PeRange range_;
  std::vector<Pe> pes_;
  std::vector<FifoLevels> fifos_;        // of the PEs that have some
  std::vector<std::uint32_t> fifos_at_;  // by PE: which of them; empty if none has any
  std::size_t places_ = 0;               // of threads, of all PEs
  std::unique_ptr<MovingThread[]> threads_;
  Pool<FabricOperands> operands_;
  Pool<WordBlock> blocks_;
};

}  // namespace wse::vm
