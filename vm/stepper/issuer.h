// The issue slots of the PEs: which thread moves elements in which cycle.
//
// shared: one slot per cycle, main thread first, then microthreads 0..7.
// duplex: sends (memory and scalars in, fabric out) have a second slot; the up-ramp still takes one
//         wavelet per cycle, the compute slot first.
// A thread that cannot go on lets the next one have the slot.
//
// What a thread waits for and who has the slot: issuer.cpp. What goes through: issuer_words.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/profile.h"
#include "vm/activity.h"
#include "vm/agenda.h"
#include "vm/boundary.h"
#include "vm/counters.h"
#include "vm/pe_range.h"
#include "vm/prefetch.h"
#include "vm/stepper/fabric.h"
#include "vm/stepper/fifo_levels.h"
#include "vm/stepper/moving_thread.h"
#include "vm/stepper/pool.h"
#include "vm/trace.h"

namespace wse::vm {

class Issuer {
 public:
  // All references must live longer than the issuer.
  Issuer(const PeRange& pes, const isa::Profile& profile, Fabric& fabric, Agenda& agenda,
         ActivityLog& activity, Counters& counters, Tracer& tracer);

  void connect(TransportClient& client) { client_ = &client; }

  // The thread, which must be free, moves elements from cycle `earliest` on.
  void begin(ThreadId thread, const Flow& flow, Cycle earliest);

  // The thread has moved nothing: forgets it.
  void cancel(ThreadId thread);

  // Scalar code of the main thread holds the (compute) slot in cycles from .. until - 1.
  void hold_slot(PeId pe, Cycle until) { at(pe).scalar_until = until; }

  // True if a bank conflict holds the (compute) slot in this cycle.
  bool slot_held(PeId pe, Cycle now) const { return now < at(pe).held_until[0]; }

  // What can issue on the PE in this cycle does. True if it must be looked at in the next.
  bool step(PeId pe, Cycle now) { return at(pe).first != kResting && step_pe(pe, at(pe), now); }

  // For who will step the PE soon: first its first thread, a little later the second.
  [[gnu::always_inline]] void prefetch_thread(PeId pe) const {
    const std::uint32_t first = at(pe).first;
    if (first < kResting) prefetch(&threads_[first]);
  }
  [[gnu::always_inline]] void prefetch_next_thread(PeId pe) const {
    const std::uint32_t first = at(pe).first;
    if (first >= kResting) return;
    const std::uint32_t second = threads_[first].behind;
    if (second != kNothing) prefetch(&threads_[second]);
  }

  // Where the machine stops, before cycle `end`: applies what has issued but was kept back, so that
  // memory and counters are exact.
  void flush(Cycle end);

  // Before the first cycle: the FIFOs of the PE, by number.
  void set_fifos(PeId pe, const std::vector<std::uint32_t>& capacities);

  // For explanations.
  std::vector<WaitingThread> waiting(PeId pe, Cycle now) const;
  // The PE has some.
  const FifoLevels& fifos(PeId pe) const { return fifos_[at(pe).fifos]; }

 private:
  // Instead of the first thread of a PE: without a thread all stays as it is.
  static constexpr std::uint32_t kResting = kNothing - 1;

  struct Pe {
    std::uint32_t first = kResting;            // thread, ascending by number; see kResting
    std::uint32_t fifos = kNothing;            // index
    Cycle scalar_until = 0;                    // scalar code has the compute slot before this cycle
    std::array<Cycle, 2> held_until = {0, 0};  // bank conflicts hold the compute, the send slot
  };
  struct Slots {
    std::array<bool, 2> taken = {false, false};  // compute, send
    bool stalled = false;
    bool up_ramp = false;
    bool issued = false;
    bool ended = false;  // some thread has nothing left to issue
    bool wants_output = false;
    bool wants_input = false;
    Cycle wake = kNever;
  };

  Pe& at(PeId pe) { return pes_[range_.index(pe)]; }
  const Pe& at(PeId pe) const { return pes_[range_.index(pe)]; }

  // ---- issuer.cpp
  bool step_pe(PeId pe, Pe& state, Cycle now);
  inline Slots slots_at_start(const Pe& state, Cycle now) const;
  // Calls visit(thread) for the threads of the PE, in order of priority.
  template <class Visit>
  void for_each_thread(const Pe& state, Visit visit);
  // The main thread is the only one, and may need nothing but its slot.
  bool may_be_left(const Pe& state) const {
    if (state.first == kNothing) return false;
    const MovingThread& thread = threads_[state.first];
    return thread.number == kMainThread && thread.behind == kNothing &&
           thread.course == Course::Any;
  }
  // If all that can happen on the PE is that this thread, which has issued in this cycle, issues
  // again and again, nobody looks at it before its last issue. False if it is not so.
  bool leave_alone(PeId pe, MovingThread& thread, Cycle now);
  // Counts the issues before cycle `end` that were not seen. The cycle of the last, plus 1.
  Cycle catch_up(MovingThread& thread, Cycle end);
  inline void try_thread(PeId pe, Pe& state, MovingThread& thread, Slots& slots, Cycle now);
  void try_any(PeId pe, Pe& state, MovingThread& thread, Slots& slots, Cycle now);
  // Takes control wavelets that stand where the next element should come from; true if it did.
  bool take_controls(PeId pe, MovingThread& thread, Slots& slots, Cycle now);
  void refuse_rest(const Pe& state, const MovingThread& thread);
  void end_early(PeId pe, MovingThread& thread, Slots& slots, Cycle next);
  bool fifos_filled(const Pe& state, const MovingThread& thread, Cycle now) const;
  bool fifo_has_room(const Pe& state, const MovingThread& thread, Cycle now) const;
  bool inputs_ready(const MovingThread& thread, Cycle now) const;
  bool output_ready(const MovingThread& thread, const Slots& slots, Cycle now) const;
  void remove_finished(PeId pe, Pe& state);

  // ---- issuer_words.cpp
  void set_course(MovingThread& thread);
  void release(const MovingThread& thread);
  // The next element moves if it can; true if it did.
  bool receive(PeId pe, MovingThread& thread, Cycle now);
  bool send(PeId pe, MovingThread& thread, const Slots& slots, Cycle now);
  void issue(PeId pe, Pe& state, MovingThread& thread, Cycle now);
  void issue_words(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now);
  void move_fifos(PeId pe, FifoLevels& fifos, const MovingThread& thread, Cycle now);
  void apply_received(PeId pe, MovingThread& thread, Cycle now);
  void apply_inputs(PeId pe, MovingThread& thread, std::uint64_t end, std::uint32_t* word_out,
                    Cycle now);
  std::uint32_t next_word_out(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now);
  void inject(const MovingThread& thread, QueueId up, std::uint32_t word, std::uint64_t end,
              Cycle now);
  // Of Course::Receive and of what runs ahead.
  std::uint32_t* words_of(MovingThread& thread) {
    return thread.block == kNothing ? thread.few.data() : blocks_[thread.block].data();
  }
  // Of the others.
  std::uint32_t* words_in(MovingThread& thread, std::size_t k);
  void apply_rest(PeId pe, MovingThread& thread);

  Fabric& fabric_;
  Agenda& agenda_;
  ActivityLog& activity_;
  Counters& counters_;
  Tracer& tracer_;
  TransportClient* client_ = nullptr;
  std::uint8_t slots_;  // of a PE
  PeRange range_;
  std::vector<Pe> pes_;
  std::vector<FifoLevels> fifos_;  // of the PEs that have some
  Pool<MovingThread> threads_;
  Pool<WordBlock> blocks_;
};

}  // namespace wse::vm
