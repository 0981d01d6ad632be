// The words of threads that issue: from and to the ramps, from and to the client.
//
// At most one wavelet per fabric operand and issue: receives are kept until there are enough for a
// range, sends are computed a range ahead; what does both, or must be, is applied at once.
#pragma once

#include "vm/contract/relay.h"
#include "vm/ledger/ledger.h"
#include "vm/stepper/pe_ramps.h"
#include "vm/stepper/thread_table.h"

namespace wse::vm {

class ThreadWords {
 public:
  // All must live longer.
  ThreadWords(ThreadTable& threads, PeRamps& ramps, Ledger& ledger, Relay& client)
      : threads_(threads), ramps_(ramps), ledger_(ledger), client_(client) {}

  // The next elements of a thread that need not wait.
  void issue(PeId pe, MovingThread& thread, Cycle now);
  // Where a trace is open: so many elements are about to issue, and the next may from `next` on.
  void tell_issue(PeId pe, const MovingThread& thread, std::uint32_t count, Cycle next, Cycle now);
  // Of Course::Receive: applies what it holds.
  void apply_received(PeId pe, MovingThread& thread, Cycle now);
  // Returns the word of the wavelet with the element before `end`, of those in `words`, which are
  // computed when that is the first.
  std::uint32_t next_word_out(PeId pe, MovingThread& thread, std::uint32_t* words,
                              std::uint64_t end, Cycle now);
  // The wavelet that carries the element before `end`.
  void inject(const MovingThread& thread, QueueId up, std::uint32_t word, std::uint64_t end,
              Cycle now) {
    const Flow& flow = *thread.flow;
    const bool advances = flow.advance && end == thread.length;
    ramps_.inject(up, Wavelet(word, flow.control, advances), now);
  }
  // Applies what was kept back of the elements that have issued.
  void apply_rest(PeId pe, MovingThread& thread);

 private:
  void tell_wait(Cycle since, const TraceEvent& issue, const causes::Issue& cause);
  void issue_words(PeId pe, MovingThread& thread, std::uint64_t end, Cycle now);
  // An element goes through each FIFO of the instruction.
  void move_fifos(PeId pe, FifoLevels& fifos, const MovingThread& thread, Cycle now);
  // Of Course::Any: applies what was received up to, but not including, element `end`.
  void apply_inputs(PeId pe, MovingThread& thread, std::uint64_t end, std::uint32_t* word_out,
                    Cycle now);

  ThreadTable& threads_;
  PeRamps& ramps_;
  Ledger& ledger_;
  Relay& client_;
};

}  // namespace wse::vm
