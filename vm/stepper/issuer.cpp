// One cycle of the issue slots of a PE, thread by thread in order of priority.
#include "vm/stepper/issuer.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

constexpr std::uint8_t kComputeSlot = 0;
constexpr std::uint8_t kSendSlot = 1;

std::uint8_t slots_of(const isa::Profile& profile) {
  const bool duplex = static_cast<isa::IssueMode>(profile.issue) == isa::IssueMode::Duplex;
  return duplex && !isa::mutant(isa::Mutant::DuplexOneSlot) ? 2 : 1;
}

}  // namespace

Issuer::Issuer(const PeRange& pes, const isa::Profile& profile, Fabric& fabric, Agenda& agenda,
               ActivityLog& activity, Counters& counters, Tracer& tracer)
    : fabric_(fabric),
      agenda_(agenda),
      activity_(activity),
      counters_(counters),
      tracer_(tracer),
      slots_(slots_of(profile)),
      range_(pes),
      pes_(pes.size()) {}

void Issuer::set_fifos(PeId pe, const std::vector<std::uint32_t>& capacities) {
  at(pe).fifos = static_cast<std::uint32_t>(fifos_.size());
  fifos_.emplace_back(capacities);
}

void Issuer::begin(ThreadId id, const Flow& flow, Cycle earliest) {
  const std::uint32_t index = threads_.take();
  MovingThread& thread = threads_[index];
  thread.begin(static_cast<std::uint8_t>(id.thread), flow, earliest);
  if (slots_ > 1 && flow.is_send()) thread.slot = kSendSlot;
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (flow.in[k] != kNoColour) thread.in[k] = fabric_.down_ramp(id.pe, flow.in[k]);
  }
  if (flow.out != kNoColour) thread.out = fabric_.up_ramp(id.pe, flow.out);
  set_course(thread);
  Pe& state = at(id.pe);
  if (state.first == kResting) state.first = kNothing;
  std::uint32_t* link = &state.first;
  while (*link != kNothing && threads_[*link].number <= id.thread) link = &threads_[*link].behind;
  thread.behind = *link;
  *link = index;
  agenda_.add(id.pe, earliest);
}

void Issuer::cancel(ThreadId id) {
  std::uint32_t* link = &at(id.pe).first;
  while (threads_[*link].number != id.thread) link = &threads_[*link].behind;
  const std::uint32_t index = *link;
  *link = threads_[index].behind;
  release(threads_[index]);
  threads_.give_back(index);
}

template <class Visit>
void Issuer::for_each_thread(const Pe& state, Visit visit) {
  if (isa::mutant(isa::Mutant::IssueOrder)) {
    std::vector<std::uint32_t> backwards;
    for (std::uint32_t k = state.first; k != kNothing; k = threads_[k].behind) {
      backwards.insert(backwards.begin(), k);
    }
    for (const std::uint32_t k : backwards) visit(threads_[k]);
    return;
  }
  for (std::uint32_t k = state.first; k != kNothing; k = threads_[k].behind) visit(threads_[k]);
}

Issuer::Slots Issuer::slots_at_start(const Pe& state, Cycle now) const {
  Slots slots;
  if (now < state.scalar_until) {
    slots.taken[kComputeSlot] = true;
    if (state.first != kNothing) slots.wake = state.scalar_until;
  }
  for (const std::uint8_t slot : {kComputeSlot, kSendSlot}) {
    if (now >= state.held_until[slot]) continue;
    slots.taken[slot] = true;
    slots.stalled = true;
    slots.wake = std::min(slots.wake, state.held_until[slot]);
  }
  return slots;
}

bool Issuer::step_pe(PeId pe, Pe& state, Cycle now) {
  if (state.first != kNothing && threads_[state.first].unseen_from != kNever) {
    MovingThread& alone = threads_[state.first];
    if (now < alone.next) return false;
    catch_up(alone, now);  // it issues in this cycle
  }
  activity_.settle(pe, now);
  Slots slots = slots_at_start(state, now);
  for (std::uint8_t slot = kComputeSlot; slot < slots_; ++slot) {
    for_each_thread(state, [&](MovingThread& thread) {
      if (thread.slot == slot) try_thread(pe, state, thread, slots, now);
    });
  }
  bool again = false;
  if (slots.issued) {
    activity_.busy_until(pe, now + 1);
    counters_.finished(now + 1);
    again = !may_be_left(state) || !leave_alone(pe, threads_[state.first], now);
  } else if (slots.wake != kNever) {
    agenda_.add(pe, slots.wake);
  } else if (state.first == kNothing) {
    state.first = kResting;
  }
  activity_.otherwise(pe, slots.stalled        ? Activity::MemoryStall
                          : slots.wants_output ? Activity::WaitOutput
                          : slots.wants_input  ? Activity::WaitInput
                                               : Activity::Idle);
  if (slots.ended) remove_finished(pe, state);
  return again;
}

// The main thread waits for its instruction, so nobody starts another one; and what is in memory or
// a scalar is always there.
bool Issuer::leave_alone(PeId pe, MovingThread& thread, Cycle now) {
  const Flow& flow = *thread.flow;
  const bool steady = !flow.has_fabric() && !flow.has_fifo() &&
                      flow.cycles_per_issue <= ActivityLog::kMostSteadyCycles;
  const std::uint64_t left = thread.length - thread.issued;
  if (!steady || left <= flow.elements_per_issue || tracer_.is_open()) return false;
  thread.unseen_from = thread.next;
  thread.next += (left - 1) / flow.elements_per_issue * flow.cycles_per_issue;
  activity_.steady(pe, now, flow.cycles_per_issue, thread.next);
  agenda_.add(pe, thread.next);
  return true;
}

Cycle Issuer::catch_up(MovingThread& thread, Cycle end) {
  if (end <= thread.unseen_from) return 0;
  const Flow& flow = *thread.flow;
  const Cycle issues = (end - thread.unseen_from - 1) / flow.cycles_per_issue + 1;
  const Cycle finish = thread.unseen_from + (issues - 1) * flow.cycles_per_issue + 1;
  thread.unseen_from = kNever;
  thread.issued += issues * flow.elements_per_issue;
  counters_.elements += issues * flow.elements_per_issue;
  counters_.flops += issues * flow.elements_per_issue * flow.flops;
  return finish;
}

void Issuer::try_thread(PeId pe, Pe& state, MovingThread& thread, Slots& slots, Cycle now) {
  if (now < thread.next) {
    slots.wake = std::min(slots.wake, thread.next);
    return;
  }
  bool& taken = slots.taken[thread.slot];
  if (taken) return;
  switch (thread.course) {
    case Course::Receive:
      if (!receive(pe, thread, now)) {
        slots.wants_input = true;
        return;
      }
      break;
    case Course::Send:
      if (!send(pe, thread, slots, now)) {
        slots.wants_output = true;
        return;
      }
      slots.up_ramp = true;
      break;
    case Course::Any: return try_any(pe, state, thread, slots, now);
  }
  taken = true;
  slots.issued = true;
  slots.ended |= thread.issued >= thread.length;
}

void Issuer::try_any(PeId pe, Pe& state, MovingThread& thread, Slots& slots, Cycle now) {
  if (thread.flow->controllable && take_controls(pe, thread, slots, now)) {
    slots.taken[thread.slot] = true;
    slots.issued = true;
    return;
  }
  bool input = inputs_ready(thread, now);
  bool output = output_ready(thread, slots, now);
  if (thread.flow->has_fifo()) {
    const bool filled = fifos_filled(state, thread, now);
    const bool room = fifo_has_room(state, thread, now);
    if (thread.flow->may_end_early && !(filled && room)) {
      if (!room) refuse_rest(state, thread);
      end_early(pe, thread, slots, now + 1);
    }
    input &= filled;
    output &= room;
  }
  if (!input || !output) {
    slots.wants_input |= !input;
    slots.wants_output |= input;
    return;
  }
  slots.taken[thread.slot] = true;
  slots.issued = true;
  slots.up_ramp |= thread.sends_wavelet(thread.end());
  issue(pe, state, thread, now);
  slots.ended |= thread.issued >= thread.length;
}

bool Issuer::take_controls(PeId pe, MovingThread& thread, Slots& slots, Cycle now) {
  bool taken = false;
  const std::uint64_t element = thread.issued;
  for (std::size_t k = 0; k < kInputs; ++k) {
    const isa::OnControl action = thread.flow->on_control[k];
    if (action == isa::OnControl::Leave || !thread.flow->takes_wavelet(k, element)) continue;
    if (fabric_.head_of(thread.in[k], now) != Fabric::Head::Control) continue;
    fabric_.take_input(pe, thread.in[k], now);
    taken = true;
    if (isa::mutant(isa::Mutant::OnControlLost)) continue;
    if (action == isa::OnControl::Terminate) {
      end_early(pe, thread, slots, now + 1);
    } else {
      client_->controlled({pe, thread.number}, k, now);
    }
  }
  if (taken) thread.next = now + 1;
  return taken;
}

// The FIFO that it pushes is full.
void Issuer::refuse_rest(const Pe& state, const MovingThread& thread) {
  if (thread.length == kNoBound) return;
  fifos_[state.fifos].refuse(thread.flow->fifo_out, thread.length - thread.issued);
}

// What has issued so far is all.
void Issuer::end_early(PeId pe, MovingThread& thread, Slots& slots, Cycle next) {
  thread.length = thread.issued;
  thread.next = next;
  slots.ended = true;
  agenda_.add(pe, next);
}

bool Issuer::fifos_filled(const Pe& state, const MovingThread& thread, Cycle now) const {
  return std::ranges::none_of(thread.flow->fifo_in, [&](std::uint32_t fifo) {
    return fifo != kNoFifo && fifos_[state.fifos].is_empty(fifo, now);
  });
}

bool Issuer::fifo_has_room(const Pe& state, const MovingThread& thread, Cycle now) const {
  const std::uint32_t fifo = thread.flow->fifo_out;
  return fifo == kNoFifo || !fifos_[state.fifos].is_full(fifo, now);
}

bool Issuer::inputs_ready(const MovingThread& thread, Cycle now) const {
  for (std::size_t k = 0; k < kInputs; ++k) {
    const bool needed = thread.flow->takes_wavelet(k, thread.issued);
    if (needed && fabric_.head_of(thread.in[k], now) != Fabric::Head::Data) return false;
  }
  return true;
}

bool Issuer::output_ready(const MovingThread& thread, const Slots& slots, Cycle now) const {
  if (!thread.sends_wavelet(thread.end())) return true;
  return !slots.up_ramp && fabric_.has_room(thread.out, now);
}

void Issuer::remove_finished(PeId pe, Pe& state) {
  for (std::uint32_t* link = &state.first; *link != kNothing;) {
    const std::uint32_t index = *link;
    MovingThread& thread = threads_[index];
    if (thread.issued < thread.length) {
      link = &thread.behind;
      continue;
    }
    apply_rest(pe, thread);
    client_->end({pe, thread.number}, thread.issued, thread.next);
    *link = thread.behind;
    release(thread);
    threads_.give_back(index);
  }
}

void Issuer::flush(Cycle end) {
  for (PeId pe = range_.first; pe < range_.end; ++pe) {
    if (at(pe).first == kResting) continue;
    for_each_thread(at(pe), [&](MovingThread& thread) {
      counters_.finished(catch_up(thread, end));
      apply_rest(pe, thread);
    });
  }
}

std::vector<WaitingThread> Issuer::waiting(PeId pe, Cycle now) const {
  std::vector<WaitingThread> result;
  const Pe& state = at(pe);
  if (state.first == kResting) return result;
  for (std::uint32_t at = state.first; at != kNothing; at = threads_[at].behind) {
    const MovingThread& thread = threads_[at];
    WaitingThread waiting{.thread = {pe, thread.number}, .issued = thread.issued};
    for (std::size_t k = 0; k < kInputs; ++k) {
      const bool missing = thread.flow->takes_wavelet(k, thread.issued) &&
                           fabric_.head_of(thread.in[k], now) != Fabric::Head::Data;
      if (missing) waiting.inputs[k] = thread.flow->in[k];
    }
    const bool full = thread.sends_wavelet(thread.end()) && !fabric_.has_room(thread.out, now);
    if (full) waiting.output = thread.flow->out;
    for (const std::uint32_t fifo : thread.flow->fifo_in) {
      if (fifo != kNoFifo && fifos_[state.fifos].size(fifo) == 0) waiting.empty = fifo;
    }
    if (!fifo_has_room(state, thread, now)) waiting.full = thread.flow->fifo_out;
    result.push_back(waiting);
  }
  return result;
}

}  // namespace wse::vm
