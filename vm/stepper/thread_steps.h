// A thread in one cycle: what it waits for, and its next issue.
#pragma once

#include <utility>

#include "vm/ledger/ledger.h"
#include "vm/stepper/thread_table.h"
#include "vm/stepper/thread_words.h"
#include "vm/support/agenda.h"

namespace wse::vm {

// The slots of one PE in one cycle.
struct SlotsInCycle {
  std::uint32_t taken = 0;  // as bits: compute, send
  std::uint32_t ended = 0;  // threads that have nothing left to issue, by number
  bool stalled = false;
  bool up_ramp = false;
  bool issued = false;
  bool wants_output = false;
  bool wants_input = false;
  bool wants_fifo = false;  // of these, a FIFO is empty or full
  Cycle wake = kNever;

  bool is_taken(std::uint32_t slot) const { return (taken >> slot & 1) != 0; }
  Activity activity() const {
    if (stalled) return Activity::MemoryStall;
    if (wants_output) return Activity::WaitOutput;
    return wants_input ? Activity::WaitInput : Activity::Idle;
  }
};

class ThreadSteps {
 public:
  struct Peers {  // all must live longer
    ThreadTable& threads;
    ThreadWords& words;
    PeRamps& ramps;
    Agenda& agenda;
    Ledger& ledger;
    Relay& client;
  };
  explicit ThreadSteps(const Peers& peers)
      : threads_(peers.threads),
        words_(peers.words),
        ramps_(peers.ramps),
        agenda_(peers.agenda),
        ledger_(peers.ledger),
        client_(peers.client) {}

  // The thread, which may issue, does if it need not wait. True if it did.
  [[gnu::always_inline]] inline bool step(PeId pe, MovingThread& thread, SlotsInCycle& slots,
                                          Cycle now);
  // The next element of a Receive moves if it can; true if it did.
  [[gnu::always_inline]] inline bool receive(PeId pe, MovingThread& thread, Cycle now);

 private:
  // The same of a Send.
  [[gnu::always_inline]] inline bool send(PeId pe, MovingThread& thread, const SlotsInCycle& slots,
                                          Cycle now);
  bool step_any(PeId pe, MovingThread& thread, SlotsInCycle& slots, Cycle now);
  // Takes control wavelets that are where the next element should come from; true if it did.
  bool take_controls(PeId pe, MovingThread& thread, Cycle now);
  // The FIFO that it pushes is full.
  void refuse_rest(PeId pe, const MovingThread& thread);
  // Ends the thread with what has issued so far.
  void end_early(PeId pe, MovingThread& thread, Cycle next);
  bool fifos_filled(PeId pe, const MovingThread& thread, Cycle now) const;
  bool fifo_has_room(PeId pe, const MovingThread& thread, Cycle now) const;
  bool inputs_ready(PeId pe, const MovingThread& thread, Cycle now) const;
  bool output_ready(const MovingThread& thread, const SlotsInCycle& slots, Cycle now) const;

  ThreadTable& threads_;
  ThreadWords& words_;
  PeRamps& ramps_;
  Agenda& agenda_;
  Ledger& ledger_;
  Relay& client_;
};

bool ThreadSteps::step(PeId pe, MovingThread& thread, SlotsInCycle& slots, Cycle now) {
  switch (thread.course) {
    case Course::Any: return step_any(pe, thread, slots, now);
    case Course::Memory: words_.issue(pe, thread, now); return true;
    case Course::Receive:
      if (!receive(pe, thread, now)) {
        slots.wants_input = true;
        return false;
      }
      return true;
    case Course::Send:
      if (!send(pe, thread, slots, now)) {
        slots.wants_output = true;
        return false;
      }
      slots.up_ramp = true;
      return true;
  }
  std::unreachable();
}

bool ThreadSteps::receive(PeId pe, MovingThread& thread, Cycle now) {
  if (ramps_.head_of(thread.ramp, now) != PeRamps::Head::Data) {
    ramps_.await(pe, thread.ramp, now);
    return false;
  }
  if (ledger_.tracer.is_open()) words_.tell_issue(pe, thread, 1, now + 1, now);
  threads_.words_of(thread, thread.aside)[thread.issued - thread.applied] =
      ramps_.take(pe, thread.ramp, now);
  ++thread.issued;
  thread.next = now + 1;
  ledger_.count_elements(pe, 1, thread.flops);
  if (thread.issued - thread.applied == kBuffered) words_.apply_received(pe, thread, now);
  return true;
}

bool ThreadSteps::send(PeId pe, MovingThread& thread, const SlotsInCycle& slots, Cycle now) {
  if (slots.up_ramp || !ramps_.has_room(thread.ramp, now)) return false;
  if (ledger_.tracer.is_open()) words_.tell_issue(pe, thread, 1, now + 1, now);
  const std::uint64_t end = thread.issued + 1;
  std::uint32_t* const words = threads_.words_of(thread, thread.aside);
  words_.inject(thread, thread.ramp, words_.next_word_out(pe, thread, words, end, now), end, now);
  thread.issued = end;
  thread.next = now + 1;
  ledger_.count_elements(pe, 1, thread.flops);
  return true;
}

}  // namespace wse::vm
