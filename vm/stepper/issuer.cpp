// One cycle of the issue slots of a PE, thread by thread in order of priority.
#include "vm/stepper/issuer.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

constexpr std::size_t kComputeSlot = 0;
constexpr std::size_t kSendSlot = 1;
constexpr std::uint32_t kMostSteadyCycles = 2;  // see ActivityLog::steady

}  // namespace

Issuer::Issuer(std::size_t pes, const isa::Profile& profile, Fabric& fabric, Agendas& agendas,
               ActivityLog& activity, Counters& counters, Tracer& tracer)
    : profile_(profile),
      fabric_(fabric),
      agendas_(agendas),
      activity_(activity),
      counters_(counters),
      tracer_(tracer),
      pes_(pes) {}

void Issuer::begin(ThreadId id, const Flow& flow, Cycle earliest) {
  std::vector<ActiveThread>& threads = pes_[id.pe].threads;
  const auto place = std::ranges::upper_bound(threads, id.thread, {}, &ActiveThread::thread);
  ActiveThread& thread = *threads.emplace(place);
  thread.thread = id.thread;
  thread.flow = flow;
  thread.next = earliest;
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (flow.in[k] != kNoColour) thread.in[k] = fabric_.channel(id.pe, flow.in[k]);
  }
  if (flow.out != kNoColour) thread.out = fabric_.channel(id.pe, flow.out);
  agendas_.issue.add(id.pe, earliest);
}

void Issuer::step(Cycle now) {
  for (const PeId pe : agendas_.issue.take(now)) step_pe(pe, now);
}

void Issuer::step_pe(PeId pe, Cycle now) {
  Pe& state = pes_[pe];
  if (is_left_alone(state, now)) return;
  if (!state.threads.empty()) catch_up(state.threads.front(), now);
  activity_.settle(pe, now);
  Slots slots;
  bool stalled = false;
  for (const std::size_t slot : {kComputeSlot, kSendSlot}) {
    const bool scalar = slot == kComputeSlot && now < state.scalar_until;
    const bool conflict = now < state.held_until[slot];
    slots.taken[slot] = scalar || conflict;
    stalled |= conflict;
    if (conflict) slots.wake = std::min(slots.wake, state.held_until[slot]);
    if (scalar) slots.wake = std::min(slots.wake, state.scalar_until);
  }
  for (const std::size_t slot : {kComputeSlot, kSendSlot}) {
    for (std::size_t k = 0; k < state.threads.size(); ++k) {
      const bool backwards = isa::mutant(isa::Mutant::IssueOrder);
      ActiveThread& thread = state.threads[backwards ? state.threads.size() - 1 - k : k];
      if (slot_of(thread) == slot) try_thread(pe, thread, slots, now);
    }
  }
  if (slots.issued) {
    activity_.busy_until(pe, now + 1);
    counters_.finished(now + 1);
    if (!leave_alone(pe, now)) agendas_.issue.add(pe, now + 1);
  } else if (slots.wake != kNever) {
    agendas_.issue.add(pe, slots.wake);
  }
  activity_.otherwise(pe, stalled              ? Activity::MemoryStall
                          : slots.wants_output ? Activity::WaitOutput
                          : slots.wants_input  ? Activity::WaitInput
                                               : Activity::Idle);
  remove_finished(pe);
}

// The main thread waits for its instruction, so nobody starts another one; and what is in memory or
// a scalar is always there.
bool Issuer::leave_alone(PeId pe, Cycle now) {
  if (pes_[pe].threads.size() != 1 || tracer_.is_open()) return false;
  ActiveThread& thread = pes_[pe].threads.front();
  const Flow& flow = thread.flow;
  const bool steady = thread.thread == kMainThread && !flow.has_fabric() && !flow.has_fifo() &&
                      flow.cycles_per_issue <= kMostSteadyCycles;
  const std::uint64_t left = flow.length - thread.issued;
  if (!steady || left <= flow.elements_per_issue) return false;
  thread.unseen_from = thread.next;
  thread.next += (left - 1) / flow.elements_per_issue * flow.cycles_per_issue;
  activity_.steady(pe, now, flow.cycles_per_issue, thread.next);
  agendas_.issue.add(pe, thread.next);
  return true;
}

void Issuer::catch_up(ActiveThread& thread, Cycle end) {
  if (end <= thread.unseen_from) return;
  const Flow& flow = thread.flow;
  const Cycle issues = (end - thread.unseen_from - 1) / flow.cycles_per_issue + 1;
  counters_.finished(thread.unseen_from + (issues - 1) * flow.cycles_per_issue + 1);
  thread.unseen_from = kNever;
  thread.issued += issues * flow.elements_per_issue;
  counters_.elements += issues * flow.elements_per_issue;
  counters_.flops += issues * flow.elements_per_issue * flow.flops;
}

std::size_t Issuer::slot_of(const ActiveThread& thread) const {
  const bool duplex = static_cast<isa::IssueMode>(profile_.issue) == isa::IssueMode::Duplex;
  const bool own = duplex && !isa::mutant(isa::Mutant::DuplexOneSlot);
  return own && thread.flow.is_send() ? kSendSlot : kComputeSlot;
}

void Issuer::try_thread(PeId pe, ActiveThread& thread, Slots& slots, Cycle now) {
  if (now < thread.next) {
    slots.wake = std::min(slots.wake, thread.next);
    return;
  }
  bool& taken = slots.taken[slot_of(thread)];
  if (taken) return;
  if (thread.flow.controllable && take_controls(pe, thread, now)) {
    taken = true;
    slots.issued = true;
    return;
  }
  bool input = inputs_ready(thread, now);
  bool output = output_ready(thread, slots, now);
  if (thread.flow.has_fifo()) {
    const bool filled = fifos_filled(pe, thread, now);
    const bool room = fifo_has_room(pe, thread, now);
    if (thread.flow.may_end_early && !(filled && room)) {
      if (!room) refuse_rest(pe, thread);
      end_early(pe, thread, now + 1);
    }
    input &= filled;
    output &= room;
  }
  if (!input || !output) {
    slots.wants_input |= !input;
    slots.wants_output |= input;
    return;
  }
  taken = true;
  slots.issued = true;
  slots.up_ramp |= thread.flow.sends_wavelet(thread.end());
  issue(pe, thread, now);
}

bool Issuer::take_controls(PeId pe, ActiveThread& thread, Cycle now) {
  bool taken = false;
  const std::uint64_t element = thread.issued;
  for (std::size_t k = 0; k < kInputs; ++k) {
    const isa::OnControl action = thread.flow.on_control[k];
    if (action == isa::OnControl::Leave || !thread.flow.takes_wavelet(k, element)) continue;
    if (fabric_.head(thread.in[k], now) != Fabric::Head::Control) continue;
    fabric_.take_input(thread.in[k], now);
    taken = true;
    if (isa::mutant(isa::Mutant::OnControlLost)) continue;
    if (action == isa::OnControl::Terminate) {
      end_early(pe, thread, now + 1);
    } else {
      client_->controlled({pe, thread.thread}, k, now);
    }
  }
  if (taken) thread.next = now + 1;
  return taken;
}

// The FIFO that it pushes is full.
void Issuer::refuse_rest(PeId pe, const ActiveThread& thread) {
  if (thread.flow.length == kNoBound) return;
  pes_[pe].fifos.refuse(thread.flow.fifo_out, thread.flow.length - thread.issued);
}

// What has issued so far is all.
void Issuer::end_early(PeId pe, ActiveThread& thread, Cycle next) {
  thread.flow.length = thread.issued;
  thread.next = next;
  agendas_.issue.add(pe, next);
}

bool Issuer::fifos_filled(PeId pe, const ActiveThread& thread, Cycle now) const {
  return std::ranges::none_of(thread.flow.fifo_in, [&](std::uint32_t fifo) {
    return fifo != kNoFifo && pes_[pe].fifos.is_empty(fifo, now);
  });
}

bool Issuer::fifo_has_room(PeId pe, const ActiveThread& thread, Cycle now) const {
  const std::uint32_t fifo = thread.flow.fifo_out;
  return fifo == kNoFifo || !pes_[pe].fifos.is_full(fifo, now);
}

bool Issuer::inputs_ready(const ActiveThread& thread, Cycle now) const {
  for (std::size_t k = 0; k < kInputs; ++k) {
    const bool needed = thread.flow.takes_wavelet(k, thread.issued);
    if (needed && !fabric_.input_visible(thread.in[k], now)) return false;
  }
  return true;
}

bool Issuer::output_ready(const ActiveThread& thread, const Slots& slots, Cycle now) const {
  if (!thread.flow.sends_wavelet(thread.end())) return true;
  return !slots.up_ramp && fabric_.has_room(thread.out, now);
}

void Issuer::issue(PeId pe, ActiveThread& thread, Cycle now) {
  const std::uint64_t end = thread.end();
  const auto count = static_cast<std::uint32_t>(end - thread.issued);
  tracer_.issue(now, {pe, thread.thread}, thread.issued, count);
  if (thread.flow.has_fabric() || thread.flow.at_once) issue_words(pe, thread, end, now);
  if (thread.flow.has_fifo()) move_fifos(pe, thread, now);
  thread.issued = end;
  thread.next = now + thread.flow.cycles_per_issue;
  if (thread.flow.cycles_per_issue > 1) pes_[pe].held_until[slot_of(thread)] = thread.next;
  counters_.elements += count;
  counters_.flops += std::uint64_t{thread.flow.flops} * count;
}

// At most one wavelet per fabric operand: receives are kept until there are enough for a range,
// sends are computed a range ahead; what does both, or must be, is applied at once.
void Issuer::issue_words(PeId pe, ActiveThread& thread, std::uint64_t end, Cycle now) {
  const Flow& flow = thread.flow;
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!flow.takes_wavelet(k, thread.issued)) continue;
    const std::uint32_t word = fabric_.take_input(thread.in[k], now);
    if (k == kDestinationIndex) {
      thread.index_in = word;
    } else {
      thread.words_in[k].push_back(word);
    }
  }
  if (thread.out == kNoChannel) {
    const bool full = end - thread.applied >= kBuffered;
    if (full || flow.at_once) apply_inputs(pe, thread, end, nullptr, now);
    return;
  }
  if (!thread.runs_ahead()) apply_inputs(pe, thread, end, &thread.word_out, now);
  if (!flow.sends_wavelet(end)) return;
  const std::uint32_t word =
      thread.runs_ahead() ? next_word_out(pe, thread, end, now) : thread.word_out;
  inject(thread, word, end, now);
}

// An element goes through each FIFO of the instruction.
void Issuer::move_fifos(PeId pe, const ActiveThread& thread, Cycle now) {
  FifoLevels& fifos = pes_[pe].fifos;
  for (const std::uint32_t fifo : thread.flow.fifo_in) {
    if (fifo == kNoFifo) continue;
    if (fifos.is_full(fifo, now)) client_->left(pe, fifo, TransportClient::Level::Full, now);
    fifos.pop(fifo, now);
  }
  const std::uint32_t fifo = thread.flow.fifo_out;
  if (fifo == kNoFifo) return;
  if (fifos.is_empty(fifo, now)) client_->left(pe, fifo, TransportClient::Level::Empty, now);
  fifos.push(fifo, now);
}

// The wavelet that carries the element before `end`.
void Issuer::inject(const ActiveThread& thread, std::uint32_t word, std::uint64_t end, Cycle now) {
  Wavelet wavelet{.data = word};
  wavelet.control = thread.flow.control ? 1 : 0;
  wavelet.advances = thread.flow.advance && end == thread.flow.length ? 1 : 0;
  fabric_.inject(thread.out, wavelet, now);
}

// The wavelet with the element before `end`.
std::uint32_t Issuer::next_word_out(PeId pe, ActiveThread& thread, std::uint64_t end, Cycle now) {
  const std::uint32_t per_word = thread.flow.packed_out ? 2 : 1;
  if (thread.applied < end) {
    const auto count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kBuffered, thread.flow.length - thread.applied));
    thread.words_out.resize((count + per_word - 1) / per_word);
    client_->moved({pe, thread.thread}, thread.applied, count, {{}, thread.words_out.data()}, now);
    thread.first_out = thread.applied;
    thread.applied += count;
  }
  return thread.words_out[(end - 1 - thread.first_out) / per_word];
}

// Applies what was received up to, but not including, element `end`.
void Issuer::apply_inputs(PeId pe, ActiveThread& thread, std::uint64_t end, std::uint32_t* word_out,
                          Cycle now) {
  if (end == thread.applied) return;
  client_->moved(
      {pe, thread.thread}, thread.applied, static_cast<std::uint32_t>(end - thread.applied),
      {{thread.words_in[0].data(), thread.words_in[1].data(), &thread.index_in}, word_out}, now);
  thread.applied = end;
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<std::uint32_t>& words = thread.words_in[k];
    const bool half_used = thread.flow.packed_in[k] && end % 2 != 0;
    words.erase(words.begin(), words.end() - (half_used ? 1 : 0));
  }
}

void Issuer::remove_finished(PeId pe) {
  std::vector<ActiveThread>& threads = pes_[pe].threads;
  for (std::size_t k = 0; k < threads.size();) {
    if (threads[k].issued < threads[k].flow.length) {
      ++k;
      continue;
    }
    const ThreadId id{pe, threads[k].thread};
    apply_rest(id, threads[k]);
    client_->end(id, threads[k].issued, threads[k].next);
    threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

// What was kept back of the elements that have issued.
void Issuer::apply_rest(ThreadId id, ActiveThread& thread) {
  if (thread.flow.at_once) return;
  if (thread.flow.has_input()) apply_inputs(id.pe, thread, thread.issued, nullptr, kNever);
  if (thread.flow.has_fabric() || thread.issued == thread.applied) return;
  client_->moved(id, thread.applied, static_cast<std::uint32_t>(thread.issued - thread.applied), {},
                 kNever);
  thread.applied = thread.issued;
}

void Issuer::flush(Cycle end) {
  for (PeId pe = 0; pe < pes_.size(); ++pe) {
    for (ActiveThread& thread : pes_[pe].threads) {
      catch_up(thread, end);
      apply_rest({pe, thread.thread}, thread);
    }
  }
}

std::vector<WaitingThread> Issuer::waiting(PeId pe, Cycle now) const {
  std::vector<WaitingThread> result;
  for (const ActiveThread& thread : pes_[pe].threads) {
    WaitingThread waiting{.thread = {pe, thread.thread}, .issued = thread.issued};
    for (std::size_t k = 0; k < kInputs; ++k) {
      const bool missing =
          thread.flow.takes_wavelet(k, thread.issued) && !fabric_.input_visible(thread.in[k], now);
      if (missing) waiting.inputs[k] = thread.flow.in[k];
    }
    const bool full = thread.flow.sends_wavelet(thread.end()) && !fabric_.has_room(thread.out, now);
    if (full) waiting.output = thread.flow.out;
    for (const std::uint32_t fifo : thread.flow.fifo_in) {
      if (fifo != kNoFifo && pes_[pe].fifos.size(fifo) == 0) waiting.empty = fifo;
    }
    if (!fifo_has_room(pe, thread, now)) waiting.full = thread.flow.fifo_out;
    result.push_back(waiting);
  }
  return result;
}

}  // namespace wse::vm
