// Asks the host for runs and messages that will be looked at, each when what leads to it is there.
#pragma once

#include <cstdint>

#include "vm/planes/bits/plane_queue.h"
#include "vm/planes/bits/threads.h"
#include "vm/planes/messages/messages.h"
#include "vm/planes/messages/runs.h"
#include "vm/planes/words/standing.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

struct RunFetch {
  const Runs& runs;
  const Messages& messages;

  // The first run of the queue, if there is one.
  [[gnu::always_inline]] void run(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.lists()[lane].first;
    if (first != kNone) prefetch_all(runs[first]);
  }
  // The message of the first run, and the second run.
  [[gnu::always_inline]] void message(const PlaneQueue& queue, std::uint32_t lane) const {
    message_and_next(queue.lists()[lane].first);
  }
  // The message of the second run, and the third run.
  [[gnu::always_inline]] void next_message(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.lists()[lane].first;
    if (first != kNone) message_and_next(runs[first].next);
  }
  [[gnu::always_inline]] void message(const Standing& wavelet) const {
    if (!wavelet.is_control()) prefetch(&messages[wavelet.message]);
  }
  // The message that the thread sends, then its first word.
  [[gnu::always_inline]] void message(const Thread& thread) const {
    if (thread.message != kNone) prefetch(&messages[thread.message]);
  }
  [[gnu::always_inline]] void first_word(const Thread& thread) const {
    if (thread.message != kNone) prefetch(messages[thread.message].words.begin.get());
  }

 private:
  [[gnu::always_inline]] void message_and_next(std::uint32_t index) const {
    if (index == kNone) return;
    const Run& run = runs[index];
    if (!run.is_control()) prefetch(&messages[run.message]);
    if (run.next != kNone) prefetch_all(runs[run.next]);
  }
};

}  // namespace wse::vm::wafer
