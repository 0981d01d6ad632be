// Moves words between ramps, FIFOs and the client.
#include "vm/stepper/thread_words.h"

#include <algorithm>

namespace wse::vm {

void ThreadWords::issue(PeId pe, MovingThread& thread, Cycle now) {
  const std::uint64_t end = thread.end();
  const auto count = static_cast<std::uint32_t>(end - thread.issued);
  const Flow& flow = *thread.flow;
  const bool has_gap = flow.has_gap_after(end);
  const Cycle next = now + flow.cycles_per_issue + (has_gap ? flow.gap_cycles : 0);
  if (ledger_.tracer.is_open()) tell_issue(pe, thread, count, next, now);
  if (thread.course == Course::Any) {
    issue_words(pe, thread, end, now);
    if (flow.has_fifo()) move_fifos(pe, threads_.fifos(pe), thread, now);
  }
  thread.issued = end;
  thread.next = next;
  ledger_.count_elements(pe, count, thread.flops);
}

void ThreadWords::tell_issue(PeId pe, const MovingThread& thread, std::uint32_t count, Cycle next,
                             Cycle now) {
  const Flow& flow = *thread.flow;
  std::array<std::uint32_t, kInputs> colours;  // of the words that it takes
  std::array<causes::Head, kInputs> heads;
  std::size_t taken = 0;
  const bool is_any = thread.course == Course::Any;
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!flow.takes_wavelet(k, thread.issued)) continue;
    colours[taken] = flow.in[k];
    heads[taken++] = ramps_.head_cause(is_any ? threads_.operands(thread).in[k] : thread.ramp);
  }
  causes::Place place;
  const bool sends = thread.sends_wavelet(thread.issued + count);
  if (sends) place = ramps_.place_cause(is_any ? threads_.operands(thread).out : thread.ramp, now);
  std::array<causes::Fifo, 3> fifos;
  std::size_t through = 0;
  const auto add = [&](std::uint32_t fifo, bool pushes) {
    if (fifo == kNoFifo) return;
    const bool was_tight = threads_.fifos(pe).is_tight(fifo, pushes, now);
    fifos[through++] = {fifo, pushes, was_tight};
  };
  for (const std::uint32_t fifo : flow.fifo_in) add(fifo, false);
  add(flow.fifo_out, true);
  const std::uint32_t taken_colour = taken > 0 ? colours[0] : kNoColour;
  const causes::Issue cause{
      .colour = static_cast<std::uint8_t>(flow.out != kNoColour ? flow.out : taken_colour),
      .words = {{heads.data(), taken}, {&place, sends ? 1u : 0u}},
      .fifos = {fifos.data(), through},
      .held = now + flow.cycles_per_issue,
      .next = next};
  if (ledger_.causes != nullptr) ledger_.causes->threads.issues({pe, thread.number}, now, cause);
  if (!ledger_.tracer.has_sink()) return;
  TraceEvent issue{.kind = TraceEvent::Kind::Issue,
                   .cycle = now,
                   .pe = pe,
                   .thread = thread.number,
                   .first = thread.issued,
                   .count = count};
  std::copy_n(colours.begin(), taken, issue.in.begin());
  if (sends) issue.out = flow.out;
  if (now > thread.next) tell_wait(thread.next, issue, cause);
  ledger_.tracer.tell(issue);
}

// Tells the trace of a wait that is over: for a wavelet that the thread takes now, else for a
// place, an element, or else the issue slot.
void ThreadWords::tell_wait(Cycle since, const TraceEvent& issue, const causes::Issue& cause) {
  using For = TraceEvent::For;
  TraceEvent wait{.kind = TraceEvent::Kind::Wait,
                  .cycle = issue.cycle,
                  .pe = issue.pe,
                  .thread = issue.thread,
                  .since = since,
                  .reason = For::Slot};
  for (std::size_t k = cause.words.heads.size(); k-- > 0;) {
    if (cause.words.heads[k].visible < issue.cycle) continue;
    wait.reason = For::Input;
    wait.number = issue.in[k];
  }
  const bool has_last_place = !cause.words.places.empty() && cause.words.places[0].is_last;
  if (wait.reason == For::Slot && has_last_place) {
    wait.reason = For::Output;
    wait.number = issue.out;
  }
  for (const causes::Fifo& fifo : cause.fifos) {
    if (wait.reason != For::Slot || !fifo.was_tight) continue;
    wait.reason = For::Fifo;
    wait.number = fifo.number;
  }
  ledger_.tracer.tell_wait(wait);
}

void ThreadWords::issue_words(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now) {
  const Flow& flow = *thread.flow;
  FabricOperands& fabric = threads_.operands(thread);
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!flow.takes_wavelet(k, thread.issued)) continue;
    const std::uint32_t word = ramps_.take(pe, fabric.in[k], now);
    if (k == kDestinationIndex) {
      fabric.index_in = word;
    } else {
      threads_.words_in(thread, k)[fabric.words_in[k]++] = word;
    }
  }
  if (flow.out == kNoColour) {
    const bool full = end - thread.applied >= kBuffered;
    if (full || flow.at_once) apply_inputs(pe, thread, end, nullptr, now);
    return;
  }
  std::uint32_t word = 0;
  if (thread.runs_ahead()) {
    word = next_word_out(pe, thread, threads_.words_of(thread, fabric.block), end, now);
  } else {
    apply_inputs(pe, thread, end, &fabric.word_out, now);
    word = fabric.word_out;
  }
  if (thread.sends_wavelet(end)) inject(thread, fabric.out, word, end, now);
}

void ThreadWords::move_fifos(PeId pe, FifoLevels& fifos, const MovingThread& thread, Cycle now) {
  for (const std::uint32_t fifo : thread.flow->fifo_in) {
    if (fifo == kNoFifo) continue;
    if (fifos.is_full(fifo, now)) client_.left(pe, fifo, TransportClient::Level::Full, now);
    fifos.pop(fifo, now);
  }
  const std::uint32_t fifo = thread.flow->fifo_out;
  if (fifo == kNoFifo) return;
  if (fifos.is_empty(fifo, now)) client_.left(pe, fifo, TransportClient::Level::Empty, now);
  fifos.push(fifo, now);
}

std::uint32_t ThreadWords::next_word_out(PeId pe, MovingThread& thread, std::uint32_t* words,
                                         std::uint64_t end, Cycle now) {
  const std::uint32_t elements = thread.flow->packed_out ? 2 : 1;  // of a word
  if (thread.applied < end) {
    const std::uint64_t in_block = thread.applied % kBuffered;  // one taken up begins within
    const auto count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kBuffered - in_block, thread.length - thread.applied));
    client_.moved({pe, thread.number}, thread.applied, count, {{}, words + in_block / elements},
                  now);
    thread.applied += count;
  }
  return words[(end - 1) % kBuffered / elements];
}

void ThreadWords::apply_received(PeId pe, MovingThread& thread, Cycle now) {
  FabricWords words;
  words.in[thread.input] = threads_.words_of(thread, thread.aside);
  client_.moved({pe, thread.number}, thread.applied,
                static_cast<std::uint32_t>(thread.issued - thread.applied), words, now);
  thread.applied = thread.issued;
}

void ThreadWords::apply_inputs(PeId pe, MovingThread& thread, std::uint64_t end,
                               std::uint32_t* word_out, Cycle now) {
  if (end == thread.applied) return;
  FabricOperands& fabric = threads_.operands(thread);
  const std::array<std::uint32_t*, 2> words = {threads_.words_in(thread, 0),
                                               threads_.words_in(thread, 1)};
  client_.moved({pe, thread.number}, thread.applied,
                static_cast<std::uint32_t>(end - thread.applied),
                {{words[0], words[1], &fabric.index_in}, word_out}, now);
  thread.applied = end;
  for (std::size_t k = 0; k < 2; ++k) {
    const bool half_used = thread.flow->packed_in[k] && end % 2 != 0;
    if (half_used) words[k][0] = words[k][fabric.words_in[k] - 1];
    fabric.words_in[k] = half_used ? 1 : 0;
  }
}

void ThreadWords::apply_rest(PeId pe, MovingThread& thread) {
  if (thread.applied >= thread.issued) return;
  switch (thread.course) {
    case Course::Send: return;
    case Course::Receive: return apply_received(pe, thread, kNever);
    case Course::Any:
      if (thread.keeps_words()) apply_inputs(pe, thread, thread.issued, nullptr, kNever);
      return;
    case Course::Memory: break;
  }
  client_.moved({pe, thread.number}, thread.applied,
                static_cast<std::uint32_t>(thread.issued - thread.applied), {}, kNever);
  thread.applied = thread.issued;
}

}  // namespace wse::vm
