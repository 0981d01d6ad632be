// One cycle of the issue slots of a PE, thread by thread in order of priority.
#include "vm/stepper/issuer.h"

#include <algorithm>
#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

// From its next issue to its last.
Cycle cycles_to_last(const MovingThread& thread) {
  const std::uint64_t left = thread.length - thread.issued;
  return (left - 1) / thread.flow->elements_per_issue * thread.flow->cycles_per_issue;
}

}  // namespace

Issuer::Slots Issuer::slots_at_start(const Pe& state, Cycle now) const {
  Slots slots;
  if (now < state.scalar_until) {
    slots.taken = kOneSlot;
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

bool Issuer::step_pe(PeId pe, Pe& state, Cycle now) {
  const bool alone = state.moving != 0 && without_first(state.moving) == 0;
  if (alone && state.has_all_slots(now)) {
    MovingThread& thread = thread_of(state, first_of(state.moving));
    const bool receives = thread.course == Course::Receive && now >= thread.next;
    if (receives) return receive_alone(pe, state, thread, now);
  }
  return step_all(pe, state, now);
}

bool Issuer::receive_alone(PeId pe, Pe& state, MovingThread& thread, Cycle now) {
  if (!receive(pe, thread, now)) {
    ledger_.activity.otherwise_from(pe, now, Activity::WaitInput);
    return false;
  }
  ledger_.activity.busy_once(pe, now, Activity::Idle);
  ledger_.counters.finished(now + 1);
  if (thread.issued >= thread.length) end_issued(pe, state, 1u << thread.number, now);
  return true;
}

bool Issuer::step_all(PeId pe, Pe& state, Cycle now) {
  if (is_unseen(state)) {
    catch_up(pe, state, now);
    thread_of(state, kMainThread).unseen = false;  // it issues in this cycle
  }
  if ((state.moving & kMainAlone) != 0) note_gap(pe, state, now);
  Slots slots = slots_at_start(state, now);
  try_threads(pe, state, slots, now);
  if (slots.issued) return note_issue(pe, state, slots, now);
  ledger_.activity.otherwise_from(pe, now, slots.activity());
  if (slots.ended != 0) {
    ledger_.activity.settle(pe, now);
    remove_ended(pe, state, slots.ended);
  } else if (!slots.wants_input && !slots.wants_output) {
    state.quiet_until = slots.wake;
  }
  if (slots.wake != kNever) agenda_.add(pe, slots.wake);
  return false;
}

bool Issuer::note_issue(PeId pe, Pe& state, const Slots& slots, Cycle now) {
  ledger_.activity.busy_once(pe, now, slots.activity());
  ledger_.counters.finished(now + 1);
  if (slots.ended != 0) {
    end_issued(pe, state, slots.ended, now);
    return true;
  }
  return !may_leave_alone(state) || !leave_alone(pe, state);
}

// Once all slots are taken nobody else is looked at.
void Issuer::try_threads(PeId pe, Pe& state, Slots& slots, Cycle now) {
  for (std::uint32_t turns = state.moving; turns != 0 && slots.taken != all_slots_;) {
    const std::uint32_t turn = next_turn(turns);
    turns &= ~(1u << turn);
    const std::uint32_t slot = turn / kSlotTurns;
    if (slots.is_taken(slot)) continue;
    MovingThread& thread = thread_of(state, turn);
    if (now < thread.next) {
      slots.wake = std::min(slots.wake, thread.next);
      continue;
    }
    if (try_thread(pe, thread, slots, now)) {
      slots.issued = true;
      slots.taken |= 1u << slot;
      const std::uint32_t held = thread.flow->cycles_per_issue;
      if (held > 1 && thread.next > now + 1) state.held_until[slot] = now + held;
    }
    if (thread.issued >= thread.length) slots.ended |= 1u << thread.number;
  }
}

// Between two scalars of a mapped instruction, which is the main thread's, the PE is busy.
void Issuer::note_gap(PeId pe, const Pe& state, Cycle now) {
  const MovingThread& thread = thread_of(state, kMainThread);
  if (!thread.flow->has_gap_after(thread.issued)) return;
  if (now >= thread.next || now + thread.flow->gap_cycles < thread.next) return;
  ledger_.activity.settle(pe, now);
  ledger_.activity.busy_until(pe, thread.next);
  ledger_.counters.finished(thread.next);
}

// The main thread waits for its instruction, so nobody starts another one; and what is in memory or
// a scalar is always there.
bool Issuer::leave_alone(PeId pe, Pe& state) {
  MovingThread& thread = thread_of(state, kMainThread);
  if (ledger_.tracer.is_open() || thread.flow->group != 0) return false;
  const std::uint32_t period = thread.flow->cycles_per_issue;
  const Cycle rest = cycles_to_last(thread);
  if (rest == 0 || period > ActivityLog::kMostSteadyCycles) return false;
  thread.unseen = true;
  thread.next += rest;
  state.quiet_until = thread.next;
  ledger_.activity.steady(pe, period, thread.next);
  agenda_.add(pe, thread.next);
  return true;
}

Cycle Issuer::catch_up(PeId pe, const Pe& state, Cycle end) {
  MovingThread& thread = thread_of(state, kMainThread);
  const Cycle first = thread.next - cycles_to_last(thread);
  if (end <= first) return 0;
  const Flow& flow = *thread.flow;
  const Cycle issues = (end - first - 1) / flow.cycles_per_issue + 1;
  thread.issued += issues * flow.elements_per_issue;
  ledger_.count_elements(pe, issues * flow.elements_per_issue, flow.flops);
  return first + (issues - 1) * flow.cycles_per_issue + 1;
}

bool Issuer::try_thread(PeId pe, MovingThread& thread, Slots& slots, Cycle now) {
  switch (thread.course) {
    case Course::Any: return try_any(pe, thread, slots, now);
    case Course::Memory: issue(pe, thread, now); return true;
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

bool Issuer::receive(PeId pe, MovingThread& thread, Cycle now) {
  if (fabric_.head_of(thread.ramp, now) != Fabric::Head::Data) return false;
  if (ledger_.tracer.is_open()) ledger_.tracer.issue(now, {pe, thread.number}, thread.issued, 1);
  words_of(thread, thread.aside)[thread.issued - thread.applied] =
      fabric_.take_input(pe, thread.ramp, now);
  ++thread.issued;
  thread.next = now + 1;
  ledger_.count_elements(pe, 1, thread.flops);
  if (thread.issued - thread.applied == kBuffered) apply_received(pe, thread, now);
  return true;
}

bool Issuer::send(PeId pe, MovingThread& thread, const Slots& slots, Cycle now) {
  if (slots.up_ramp || !fabric_.has_room(thread.ramp, now)) return false;
  if (ledger_.tracer.is_open()) ledger_.tracer.issue(now, {pe, thread.number}, thread.issued, 1);
  const std::uint64_t end = thread.issued + 1;
  std::uint32_t* const words = words_of(thread, thread.aside);
  inject(thread, thread.ramp, next_word_out(pe, thread, words, end, now), end, now);
  thread.issued = end;
  thread.next = now + 1;
  ledger_.count_elements(pe, 1, thread.flops);
  return true;
}

bool Issuer::try_any(PeId pe, MovingThread& thread, Slots& slots, Cycle now) {
  if (thread.flow->controllable && take_controls(pe, thread, now)) return true;
  bool input = inputs_ready(thread, now);
  bool output = output_ready(thread, slots, now);
  if (thread.flow->has_fifo()) {
    const bool filled = fifos_filled(pe, thread, now);
    const bool room = fifo_has_room(pe, thread, now);
    if (thread.flow->may_end_early && !(filled && room)) {
      if (!room) refuse_rest(pe, thread);
      end_early(pe, thread, now + 1);
    }
    input &= filled;
    output &= room;
  }
  if (!input || !output) {
    slots.wants_input |= !input;
    slots.wants_output |= input;
    return false;
  }
  slots.up_ramp |= thread.sends_wavelet(thread.end());
  issue(pe, thread, now);
  return true;
}

bool Issuer::take_controls(PeId pe, MovingThread& thread, Cycle now) {
  bool taken = false;
  const std::uint64_t element = thread.issued;
  const FabricOperands& fabric = operands_[thread.aside];
  for (std::size_t k = 0; k < kInputs; ++k) {
    const isa::OnControl action = thread.flow->on_control[k];
    if (action == isa::OnControl::Leave || !thread.flow->takes_wavelet(k, element)) continue;
    if (fabric_.head_of(fabric.in[k], now) != Fabric::Head::Control) continue;
    fabric_.take_input(pe, fabric.in[k], now);
    taken = true;
    if (isa::mutant(isa::Mutant::OnControlLost)) continue;
    if (action == isa::OnControl::Terminate) {
      end_early(pe, thread, now + 1);
    } else {
      client_->controlled({pe, thread.number}, k, now);
    }
  }
  if (taken) thread.next = now + 1;
  return taken;
}

// The FIFO that it pushes is full.
void Issuer::refuse_rest(PeId pe, const MovingThread& thread) {
  if (thread.length == kNoBound) return;
  fifos(pe).refuse(thread.flow->fifo_out, thread.length - thread.issued);
}

// Ends the thread with what has issued so far.
void Issuer::end_early(PeId pe, MovingThread& thread, Cycle next) {
  thread.length = thread.issued;
  thread.next = next;
  agenda_.add(pe, next);
}

bool Issuer::fifos_filled(PeId pe, const MovingThread& thread, Cycle now) const {
  return std::ranges::none_of(thread.flow->fifo_in, [&](std::uint32_t fifo) {
    return fifo != kNoFifo && fifos(pe).is_empty(fifo, now);
  });
}

bool Issuer::fifo_has_room(PeId pe, const MovingThread& thread, Cycle now) const {
  const std::uint32_t fifo = thread.flow->fifo_out;
  return fifo == kNoFifo || !fifos(pe).is_full(fifo, now);
}

bool Issuer::inputs_ready(const MovingThread& thread, Cycle now) const {
  const FabricOperands& fabric = operands_[thread.aside];
  for (std::size_t k = 0; k < kInputs; ++k) {
    const bool needed = thread.flow->takes_wavelet(k, thread.issued);
    if (needed && fabric_.head_of(fabric.in[k], now) != Fabric::Head::Data) return false;
  }
  return true;
}

bool Issuer::output_ready(const MovingThread& thread, const Slots& slots, Cycle now) const {
  if (!thread.sends_wavelet(thread.end())) return true;
  return !slots.up_ramp && fabric_.has_room(operands_[thread.aside].out, now);
}

// The PE is busy in this cycle, so what is found here begins in the next one.
void Issuer::end_issued(PeId pe, Pe& state, std::uint32_t ended, Cycle now) {
  remove_ended(pe, state, ended);
  if (state.moving != 0 || !state.has_all_slots(now + 1)) return;
  ledger_.activity.otherwise(pe, Activity::Idle);
  state.quiet_until = kNever;
}

void Issuer::remove_ended(PeId pe, Pe& state, std::uint32_t ended) {
  state.moving &= ~(ended | ended << kSlotTurns);
  for (; ended != 0; ended = without_first(ended)) {
    MovingThread& thread = thread_of(state, first_of(ended));
    apply_rest(pe, thread);
    client_->end({pe, thread.number}, thread.issued, thread.next);
    release(thread);
  }
}

}  // namespace wse::vm
