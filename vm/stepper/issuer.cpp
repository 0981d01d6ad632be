// One cycle of the issue slots of a PE, thread by thread in order of priority.
#include "vm/stepper/issuer.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {
std::uint32_t Issuer::slots_of(const isa::Profile& profile) {
  const bool duplex = static_cast<isa::IssueMode>(profile.issue) == isa::IssueMode::Duplex;
  const bool has_two = duplex && !isa::mutant(isa::Mutant::DuplexOneSlot);
  return 1u << kComputeSlot | (has_two ? 1u << kSendSlot : 0);
}

Issuer::Issuer(const isa::Profile& profile, const Peers& peers)
    : pes_(peers.pes),
      agenda_(peers.agenda),
      ledger_(peers.ledger),
      client_(peers.client),
      all_slots_(slots_of(profile)),
      threads_(peers.pes, peers.ramps, all_slots_),
      words_(threads_, peers.ramps, peers.ledger, peers.client),
      steps_({threads_, words_, peers.ramps, peers.agenda, peers.ledger, peers.client}) {}

void Issuer::begin(ThreadId thread, const Flow& flow, Cycle earliest) {
  threads_.begin(thread, flow, earliest);
  agenda_.add(thread.pe, earliest);
}

// Threads that need the slot, and no other, are not looked at before it is free.
void Issuer::hold_slot(PeId pe, Cycle from, Cycle until) {
  SteppedPe& stepped = pes_[pe];
  IssuingPe& state = stepped.issuing;
  state.scalar_until = until;
  if (state.moving == 0 || state.quiet_until >= until) return;
  if ((state.moving & (turns::kMainAlone | turns::kSending)) != 0) return;
  state.quiet_until = until;
  agenda_.add(pe, until);
  if (stepped.standing == 0) agenda_.drop(pe, from);
}

SlotsInCycle Issuer::slots_at_start(const IssuingPe& state, Cycle now) const {
  SlotsInCycle slots;
  if (now < state.scalar_until) {
    slots.taken = 1u << kComputeSlot;
    if (state.moving != 0) slots.wake = state.scalar_until;
  }
  for (const std::uint32_t slot : {kComputeSlot, kSendSlot}) {
    if (now >= state.held_until[slot]) continue;
    slots.taken |= 1u << slot;
    slots.stalled = true;
    slots.wake = std::min(slots.wake, state.held_until[slot]);
  }
  return slots;
}

bool Issuer::step_pe(PeId pe, IssuingPe& state, Cycle now) {
  const bool alone = state.moving != 0 && turns::without_first(state.moving) == 0;
  if (alone && state.has_all_slots(now)) {
    MovingThread& thread = threads_.thread_of(state, turns::first(state.moving));
    const bool receives = thread.course == Course::Receive && now >= thread.next;
    if (receives) return receive_alone(pe, state, thread, now);
  }
  return step_all(pe, state, now);
}

bool Issuer::receive_alone(PeId pe, IssuingPe& state, MovingThread& thread, Cycle now) {
  if (!steps_.receive(pe, thread, now)) {
    ledger_.activity.otherwise_from(pe, now, Activity::WaitInput);
    return false;
  }
  ledger_.activity.busy_once(pe, now, Activity::Idle);
  ledger_.counters.finished(now + 1);
  if (thread.issued >= thread.length) end_issued(pe, state, 1u << thread.number, now);
  return true;
}

bool Issuer::step_all(PeId pe, IssuingPe& state, Cycle now) {
  if (is_unseen(state)) {
    catch_up(pe, state, now);
    threads_.thread_of(state, kMainThread).unseen = false;  // it issues in this cycle
  }
  if ((state.moving & turns::kMainAlone) != 0) note_gap(pe, state, now);
  SlotsInCycle slots = slots_at_start(state, now);
  try_threads(pe, state, slots, now);
  if (slots.issued) return note_issue(pe, state, slots, now);
  ledger_.activity.otherwise_from(pe, now, slots.activity(), slots.wants_fifo);
  if (slots.ended != 0) {
    ledger_.activity.settle(pe, now);
    remove_ended(pe, state, slots.ended);
  } else if (!slots.wants_input && !slots.wants_output) {
    state.quiet_until = slots.wake;
  }
  if (slots.wake != kNever) agenda_.add(pe, slots.wake);
  return false;
}

bool Issuer::note_issue(PeId pe, IssuingPe& state, const SlotsInCycle& slots, Cycle now) {
  ledger_.activity.busy_once(pe, now, slots.activity(), slots.wants_fifo);
  ledger_.counters.finished(now + 1);
  if (slots.ended != 0) {
    end_issued(pe, state, slots.ended, now);
    return true;
  }
  return !may_leave_alone(state) || !leave_alone(pe, state);
}

// Once all slots are taken nobody else is looked at.
void Issuer::try_threads(PeId pe, IssuingPe& state, SlotsInCycle& slots, Cycle now) {
  for (std::uint32_t rest = state.moving; rest != 0 && slots.taken != all_slots_;) {
    const std::uint32_t turn = turns::next(rest);
    rest &= ~(1u << turn);
    const std::uint32_t slot = turn / turns::kSlots;
    if (slots.is_taken(slot)) continue;
    MovingThread& thread = threads_.thread_of(state, turn);
    if (now < thread.next) {
      slots.wake = std::min(slots.wake, thread.next);
      continue;
    }
    if (steps_.step(pe, thread, slots, now)) {
      slots.issued = true;
      slots.taken |= 1u << slot;
      const std::uint32_t held = thread.flow->cycles_per_issue;
      if (held > 1 && thread.next > now + 1) state.held_until[slot] = now + held;
    }
    if (thread.issued >= thread.length) slots.ended |= 1u << thread.number;
  }
}

// Between two scalars of a mapped instruction, which is the main thread's, the PE is busy.
void Issuer::note_gap(PeId pe, const IssuingPe& state, Cycle now) {
  const MovingThread& thread = threads_.thread_of(state, kMainThread);
  if (!thread.flow->has_gap_after(thread.issued)) return;
  if (now >= thread.next || now + thread.flow->gap_cycles < thread.next) return;
  ledger_.activity.settle(pe, now);
  ledger_.activity.busy_until(pe, thread.next);
  ledger_.counters.finished(thread.next);
}

// The main thread waits for its instruction, so nobody starts another one; and what is in memory or
// a scalar is always there.
bool Issuer::leave_alone(PeId pe, IssuingPe& state) {
  MovingThread& thread = threads_.thread_of(state, kMainThread);
  if (ledger_.tracer.is_open() || thread.flow->group != 0) return false;
  const std::uint32_t period = thread.flow->cycles_per_issue;
  const Cycle rest = thread.cycles_to_last();
  if (rest == 0 || period > ActivityLog::kMostSteadyCycles) return false;
  thread.unseen = true;
  thread.next += rest;
  state.quiet_until = thread.next;
  ledger_.activity.steady(pe, period, thread.next);
  agenda_.add(pe, thread.next);
  return true;
}

Cycle Issuer::catch_up(PeId pe, const IssuingPe& state, Cycle end) {
  MovingThread& thread = threads_.thread_of(state, kMainThread);
  const Cycle first = thread.next - thread.cycles_to_last();
  if (end <= first) return 0;
  const Flow& flow = *thread.flow;
  const Cycle issues = (end - first - 1) / flow.cycles_per_issue + 1;
  thread.issued += issues * flow.elements_per_issue;
  ledger_.count_elements(pe, issues * flow.elements_per_issue, flow.flops);
  return first + (issues - 1) * flow.cycles_per_issue + 1;
}

// The PE is busy in this cycle, so what is found here begins in the next one.
void Issuer::end_issued(PeId pe, IssuingPe& state, std::uint32_t ended, Cycle now) {
  remove_ended(pe, state, ended);
  if (state.moving != 0 || !state.has_all_slots(now + 1)) return;
  ledger_.activity.otherwise(pe, Activity::Idle);
  state.quiet_until = kNever;
}

void Issuer::remove_ended(PeId pe, IssuingPe& state, std::uint32_t ended) {
  for (; ended != 0; ended = turns::without_first(ended)) {
    MovingThread& thread = threads_.thread_of(state, turns::first(ended));
    words_.apply_rest(pe, thread);
    client_.end({pe, thread.number}, thread.issued, thread.next);
    threads_.remove(state, thread.number);
  }
}

void Issuer::flush(Cycle end) {
  for (PeId pe = threads_.pes().first; pe < threads_.pes().end; ++pe) {
    const IssuingPe& state = threads_.at(pe);
    if (is_unseen(state)) ledger_.counters.finished(catch_up(pe, state, end));
    for (std::uint32_t rest = turns::numbers(state.moving); rest != 0;
         rest = turns::without_first(rest)) {
      words_.apply_rest(pe, threads_.thread_of(state, turns::first(rest)));
    }
  }
}

}  // namespace wse::vm
