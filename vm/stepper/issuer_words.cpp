// Traffic through the issue slots: wavelets from and to the ramps, words to and from the client.
//
// At most one wavelet per fabric operand and issue: receives are kept until there are enough for a
// range, sends are computed a range ahead; what does both, or must be, is applied at once.
#include "vm/stepper/issuer.h"

namespace wse::vm {

void Issuer::issue(PeId pe, MovingThread& thread, Cycle now) {
  const std::uint64_t end = thread.end();
  const auto count = static_cast<std::uint32_t>(end - thread.issued);
  ledger_.tracer.issue(now, {pe, thread.number}, thread.issued, count);
  const Flow& flow = *thread.flow;
  if (thread.course == Course::Any) {
    issue_words(pe, thread, end, now);
    if (flow.has_fifo()) move_fifos(pe, fifos(pe), thread, now);
  }
  thread.issued = end;
  thread.next = now + flow.cycles_per_issue;
  if (flow.has_gap_after(end)) thread.next += flow.gap_cycles;
  ledger_.count_elements(pe, count, thread.flops);
}

void Issuer::issue_words(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now) {
  const Flow& flow = *thread.flow;
  FabricOperands& fabric = operands_[thread.aside];
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!flow.takes_wavelet(k, thread.issued)) continue;
    const std::uint32_t word = fabric_.take_input(pe, fabric.in[k], now);
    if (k == kDestinationIndex) {
      fabric.index_in = word;
    } else {
      words_in(thread, fabric, k)[fabric.words_in[k]++] = word;
    }
  }
  if (flow.out == kNoColour) {
    const bool full = end - thread.applied >= kBuffered;
    if (full || flow.at_once) apply_inputs(pe, thread, end, nullptr, now);
    return;
  }
  std::uint32_t word = 0;
  if (thread.runs_ahead()) {
    word = next_word_out(pe, thread, words_of(thread, fabric.block), end, now);
  } else {
    apply_inputs(pe, thread, end, &fabric.word_out, now);
    word = fabric.word_out;
  }
  if (thread.sends_wavelet(end)) inject(thread, fabric.out, word, end, now);
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

// The wavelet with the element before `end`.
std::uint32_t Issuer::next_word_out(PeId pe, MovingThread& thread, std::uint32_t* words,
                                    std::uint64_t end, Cycle now) {
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
  words.in[thread.input] = words_of(thread, thread.aside);
  client_->moved({pe, thread.number}, thread.applied,
                 static_cast<std::uint32_t>(thread.issued - thread.applied), words, now);
  thread.applied = thread.issued;
}

std::uint32_t* Issuer::words_in(MovingThread& thread, const FabricOperands& fabric, std::size_t k) {
  const std::uint32_t block = fabric.blocks_in[k];
  return block == kNothing ? &thread.few[k] : blocks_[block].data();
}

// Of Course::Any: applies what was received up to, but not including, element `end`.
void Issuer::apply_inputs(PeId pe, MovingThread& thread, std::uint64_t end, std::uint32_t* word_out,
                          Cycle now) {
  if (end == thread.applied) return;
  FabricOperands& fabric = operands_[thread.aside];
  const std::array<std::uint32_t*, 2> words = {words_in(thread, fabric, 0),
                                               words_in(thread, fabric, 1)};
  client_->moved({pe, thread.number}, thread.applied,
                 static_cast<std::uint32_t>(end - thread.applied),
                 {{words[0], words[1], &fabric.index_in}, word_out}, now);
  thread.applied = end;
  for (std::size_t k = 0; k < 2; ++k) {
    const bool half_used = thread.flow->packed_in[k] && end % 2 != 0;
    if (half_used) words[k][0] = words[k][fabric.words_in[k] - 1];
    fabric.words_in[k] = half_used ? 1 : 0;
  }
}

// Applies what was kept back of the elements that have issued.
void Issuer::apply_rest(PeId pe, MovingThread& thread) {
  if (thread.applied >= thread.issued) return;
  switch (thread.course) {
    case Course::Send: return;
    case Course::Receive: return apply_received(pe, thread, kNever);
    case Course::Any:
      if (thread.keeps_words()) apply_inputs(pe, thread, thread.issued, nullptr, kNever);
      return;
    case Course::Memory: break;
  }
  client_->moved({pe, thread.number}, thread.applied,
                 static_cast<std::uint32_t>(thread.issued - thread.applied), {}, kNever);
  thread.applied = thread.issued;
}

}  // namespace wse::vm
