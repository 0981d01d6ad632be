// The issue slots of the PEs: which thread moves elements in which cycle.
//
// shared: one slot per cycle, main thread first, then microthreads 0..7.
// duplex: sends (memory and scalars in, fabric out) have a second slot; the up-ramp still takes one
//         wavelet per cycle, the compute slot first.
// A thread that cannot continue lets the next one have the slot.
#pragma once

#include "isa/machine/profile.h"
#include "vm/contract/relay.h"
#include "vm/ledger/ledger.h"
#include "vm/stepper/pe_ramps.h"
#include "vm/stepper/thread_steps.h"
#include "vm/stepper/thread_table.h"
#include "vm/stepper/thread_words.h"
#include "vm/support/agenda.h"

namespace wse::vm {

class Issuer {
 public:
  struct Peers {  // all must live longer
    SteppedPes& pes;
    PeRamps& ramps;
    Agenda& agenda;
    Ledger& ledger;
    Relay& client;
  };
  Issuer(const isa::Profile& profile, const Peers& peers);

  ThreadTable& threads() { return threads_; }
  const ThreadTable& threads() const { return threads_; }

  // The thread, which must be free, moves elements from cycle `earliest` on.
  void begin(ThreadId thread, const Flow& flow, Cycle earliest);
  // The thread has moved nothing: forgets it.
  void cancel(ThreadId thread) { threads_.remove(threads_.at(thread.pe), thread.thread); }

  // Scalar code of the main thread holds the (compute) slot in cycles from .. until - 1.
  void hold_slot(PeId pe, Cycle from, Cycle until);
  // True if a bank conflict holds the (compute) slot in this cycle.
  bool slot_held(PeId pe, Cycle now) const {
    return now < threads_.at(pe).held_until[kComputeSlot];
  }

  // Issues what can issue on the PE, of which `state` are the slots, in this cycle. True if it must
  // be looked at in the next.
  bool step(PeId pe, IssuingPe& state, Cycle now) {
    return now >= state.quiet_until && step_pe(pe, state, now);
  }

  // Where the machine stops, before cycle `end`: applies what has issued but was kept back, so that
  // memory and counters are exact.
  void flush(Cycle end);

 private:
  // The slots of a PE, as bits.
  static std::uint32_t slots_of(const isa::Profile& profile);

  // ---- steps are inline by force, as each has one caller or two
  bool step_pe(PeId pe, IssuingPe& state, Cycle now);
  // The same where one thread moves, can issue in this cycle and is a Receive: a long stream.
  bool receive_alone(PeId pe, IssuingPe& state, MovingThread& thread, Cycle now);
  // The same of all others.
  bool step_all(PeId pe, IssuingPe& state, Cycle now);
  [[gnu::always_inline]] inline bool note_issue(PeId pe, IssuingPe& state,
                                                const SlotsInCycle& slots, Cycle now);
  [[gnu::always_inline]] inline SlotsInCycle slots_at_start(const IssuingPe& state,
                                                            Cycle now) const;
  [[gnu::always_inline]] inline void try_threads(PeId pe, IssuingPe& state, SlotsInCycle& slots,
                                                 Cycle now);
  void note_gap(PeId pe, const IssuingPe& state, Cycle now);
  // Only the main thread moves, and needs nothing but its slot.
  bool may_leave_alone(const IssuingPe& state) const {
    return state.moving == turns::kMainAlone &&
           threads_.thread_of(state, kMainThread).course == Course::Memory;
  }
  // It has issued in this cycle: nobody looks at it before its last issue. False if that must be.
  bool leave_alone(PeId pe, IssuingPe& state);
  bool is_unseen(const IssuingPe& state) const {
    return state.moving == turns::kMainAlone && threads_.thread_of(state, kMainThread).unseen;
  }
  // Counts the issues before cycle `end` that were not seen. The cycle of the last, plus 1.
  Cycle catch_up(PeId pe, const IssuingPe& state, Cycle end);
  // Threads, by number, that have issued all; the first have issued in this cycle.
  void end_issued(PeId pe, IssuingPe& state, std::uint32_t ended, Cycle now);
  void remove_ended(PeId pe, IssuingPe& state, std::uint32_t ended);

  SteppedPes& pes_;
  Agenda& agenda_;
  Ledger& ledger_;
  Relay& client_;
  std::uint32_t all_slots_;
  ThreadTable threads_;
  ThreadWords words_;
  ThreadSteps steps_;
};

}  // namespace wse::vm
