// Wavelets that stand in queues, as run lists tell them: a word of a message, or a control wavelet.
#pragma once

#include <cstdint>

#include "vm/planes/bits/lanes.h"
#include "vm/planes/messages/runs.h"

namespace wse::vm::wafer {

// A wavelet in a queue.
struct Standing {
  std::uint32_t message = kNone;  // kNone: a control wavelet
  std::uint64_t word = 0;         // of the message, or the commands
  std::uint64_t number = 0;       // where its run begins in the queue
  std::uint32_t hops = 0;
  std::uint32_t row = 0;  // of the message: the lane of its sender
  bool advances = false;
  bool is_whole = false;  // a message of one word, of whose run no other list knows

  bool is_control() const { return message == kNone; }
};

// Returns wavelet number `number` of the lane of a queue, which is one of the run. Filled where it
// is wanted: in a copy its members are moved by two, and the host would wait for each half.
[[gnu::always_inline]] inline Standing standing(const Run& run, std::uint64_t number,
                                                std::uint32_t lane) {
  return {.message = run.message,
          .word = run.is_control() ? run.word : run.word + (number - run.number),
          .number = run.number,
          .hops = run.hops,
          .row = lane - static_cast<std::uint32_t>(run.shift),
          .advances = run.advances != 0,
          .is_whole = run.is_whole != 0 && run.lists == 1};
}

// Wavelets of lanes of a queue that are alike: words of one message, each of its own row.
struct StandingSet {
  Lanes lanes;
  Standing wavelet;        // each, but for its row
  std::int32_t shift = 0;  // from the row of each to its lane

  Standing of(std::uint32_t lane) const {
    Standing one = wavelet;
    one.row = lane - static_cast<std::uint32_t>(shift);
    return one;
  }
};

}  // namespace wse::vm::wafer
