// What goes through the issue slots: wavelets from and to the ramps, words to and from the client.
//
// At most one wavelet per fabric operand and issue: receives are kept until there are enough for a
// range, sends are computed a range ahead; what does both, or must be, is applied at once.
#include "vm/stepper/issuer.h"

namespace wse::vm {

void Issuer::set_course(MovingThread& thread) {
  const Flow& flow = *thread.flow;
  const bool plain = !flow.at_once && !flow.has_fifo() && !flow.controllable &&
                     flow.elements_per_issue == 1 && flow.cycles_per_issue == 1;
  const bool one_source = (thread.in[0] == kNoQueue) != (thread.in[1] == kNoQueue) &&
                          thread.in[kDestinationIndex] == kNoQueue;
  if (plain && one_source && thread.keeps_words() && !flow.packed_in[0] && !flow.packed_in[1]) {
    thread.course = Course::Receive;
    thread.input = thread.in[0] != kNoQueue ? 0 : 1;
    thread.ramp = thread.in[thread.input];
    if (thread.length > kFew) thread.block = blocks_.take();
    return;
  }
  if (thread.runs_ahead() && thread.length > kFew) thread.block = blocks_.take();
  if (plain && thread.runs_ahead() && !flow.packed_out) {
    thread.course = Course::Send;
    thread.ramp = thread.out;
    return;
  }
  if (!thread.keeps_words()) return;
  for (std::size_t k = 0; k < 2; ++k) {
    if (thread.in[k] != kNoQueue) thread.blocks_in[k] = blocks_.take();
  }
}

void Issuer::release(const MovingThread& thread) {
  if (thread.block != kNothing) blocks_.give_back(thread.block);
  for (const std::uint32_t block : thread.blocks_in) {
    if (block != kNothing) blocks_.give_back(block);
  }
}

bool Issuer::receive(PeId pe, MovingThread& thread, Cycle now) {
  if (fabric_.head_of(thread.ramp, now) != Fabric::Head::Data) return false;
  if (tracer_.is_open()) tracer_.issue(now, {pe, thread.number}, thread.issued, 1);
  words_of(thread)[thread.issued - thread.applied] = fabric_.take_input(pe, thread.ramp, now);
  ++thread.issued;
  thread.next = now + 1;
  ++counters_.elements;
  counters_.flops += thread.flops;
  if (thread.issued - thread.applied == kBuffered) apply_received(pe, thread, now);
  return true;
}

bool Issuer::send(PeId pe, MovingThread& thread, const Slots& slots, Cycle now) {
  if (slots.up_ramp || !fabric_.has_room(thread.ramp, now)) return false;
  if (tracer_.is_open()) tracer_.issue(now, {pe, thread.number}, thread.issued, 1);
  const std::uint64_t end = thread.issued + 1;
  inject(thread, thread.ramp, next_word_out(pe, thread, end, now), end, now);
  thread.issued = end;
  thread.next = now + 1;
  ++counters_.elements;
  counters_.flops += thread.flops;
  return true;
}

void Issuer::issue(PeId pe, Pe& state, MovingThread& thread, Cycle now) {
  const std::uint64_t end = thread.end();
  const auto count = static_cast<std::uint32_t>(end - thread.issued);
  tracer_.issue(now, {pe, thread.number}, thread.issued, count);
  const Flow& flow = *thread.flow;
  if (flow.has_fabric() || flow.at_once) issue_words(pe, thread, end, now);
  if (flow.has_fifo()) move_fifos(pe, fifos_[state.fifos], thread, now);
  thread.issued = end;
  thread.next = now + flow.cycles_per_issue;
  if (flow.cycles_per_issue > 1) state.held_until[thread.slot] = thread.next;
  counters_.elements += count;
  counters_.flops += std::uint64_t{thread.flops} * count;
}

void Issuer::issue_words(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now) {
  const Flow& flow = *thread.flow;
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!flow.takes_wavelet(k, thread.issued)) continue;
    const std::uint32_t word = fabric_.take_input(pe, thread.in[k], now);
    if (k == kDestinationIndex) {
      thread.index_in = word;
    } else {
      words_in(thread, k)[thread.words_in[k]++] = word;
    }
  }
  if (thread.out == kNoQueue) {
    const bool full = end - thread.applied >= kBuffered;
    if (full || flow.at_once) apply_inputs(pe, thread, end, nullptr, now);
    return;
  }
  if (!thread.runs_ahead()) apply_inputs(pe, thread, end, &thread.word_out, now);
  if (!thread.sends_wavelet(end)) return;
  const std::uint32_t word =
      thread.runs_ahead() ? next_word_out(pe, thread, end, now) : thread.word_out;
  inject(thread, thread.out, word, end, now);
}

// An element goes through each FIFO of the instruction.
void Issuer::move_fifos(PeId pe, FifoLevels& fifos, const MovingThread& thread, Cycle now) {
  for (const std::uint32_t fifo : thread.flow->fifo_in) {
    if (fifo == kNoFifo) continue;
    if (fifos.is_full(fifo, now)) client_->left(pe, fifo, TransportClient::Level::Full, now);
    fifos.pop(fifo, now);
  }
  const std::uint32_t fifo = thread.flow->fifo_out;
  if (fifo == kNoFifo) return;
  if (fifos.is_empty(fifo, now)) client_->left(pe, fifo, TransportClient::Level::Empty, now);
  fifos.push(fifo, now);
}

// The wavelet that carries the element before `end`.
void Issuer::inject(const MovingThread& thread, QueueId up, std::uint32_t word, std::uint64_t end,
                    Cycle now) {
  const bool advances = thread.flow->advance && end == thread.length;
  fabric_.inject(up, Wavelet(word, thread.flow->control, advances), now);
}

// The wavelet with the element before `end`.
std::uint32_t Issuer::next_word_out(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now) {
  std::uint32_t* const words = words_of(thread);
  if (thread.applied < end) {
    const auto count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kBuffered, thread.length - thread.applied));
    client_->moved({pe, thread.number}, thread.applied, count, {{}, words}, now);
    thread.applied += count;
  }
  return words[(end - 1) % kBuffered / (thread.flow->packed_out ? 2 : 1)];
}

// Of Course::Receive: what it holds.
void Issuer::apply_received(PeId pe, MovingThread& thread, Cycle now) {
  FabricWords words;
  words.in[thread.input] = words_of(thread);
  client_->moved({pe, thread.number}, thread.applied,
                 static_cast<std::uint32_t>(thread.issued - thread.applied), words, now);
  thread.applied = thread.issued;
}

std::uint32_t* Issuer::words_in(MovingThread& thread, std::size_t k) {
  const std::uint32_t block = thread.blocks_in[k];
  return block == kNothing ? &thread.few[k] : blocks_[block].data();
}

// Applies what was received up to, but not including, element `end`.
void Issuer::apply_inputs(PeId pe, MovingThread& thread, std::uint64_t end, std::uint32_t* word_out,
                          Cycle now) {
  if (end == thread.applied) return;
  client_->moved({pe, thread.number}, thread.applied,
                 static_cast<std::uint32_t>(end - thread.applied),
                 {{words_in(thread, 0), words_in(thread, 1), &thread.index_in}, word_out}, now);
  thread.applied = end;
  for (std::size_t k = 0; k < 2; ++k) {
    const bool half_used = thread.flow->packed_in[k] && end % 2 != 0;
    if (half_used) words_in(thread, k)[0] = words_in(thread, k)[thread.words_in[k] - 1];
    thread.words_in[k] = half_used ? 1 : 0;
  }
}

// What was kept back of the elements that have issued.
void Issuer::apply_rest(PeId pe, MovingThread& thread) {
  if (thread.flow->at_once || thread.applied >= thread.issued) return;
  if (thread.course == Course::Receive) return apply_received(pe, thread, kNever);
  if (thread.flow->has_input()) return apply_inputs(pe, thread, thread.issued, nullptr, kNever);
  if (thread.flow->has_fabric()) return;
  client_->moved({pe, thread.number}, thread.applied,
                 static_cast<std::uint32_t>(thread.issued - thread.applied), {}, kNever);
  thread.applied = thread.issued;
}

}  // namespace wse::vm
