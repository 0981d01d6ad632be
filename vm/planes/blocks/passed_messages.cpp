// Messages that have passed a receiver are applied before the receiver ends.
#include "vm/planes/blocks/passed_messages.h"

#include <algorithm>

#include "vm/support/prefetch.h"

namespace wse::vm::wafer {
namespace {

// Below room for so many words of each thread, looking for messages that have passed takes longer
// than getting more.
constexpr std::uint64_t kWordsOfAThread = 32;

}  // namespace

std::uint64_t PassedMessages::most_words() const {
  return std::max(parts_.threads.size() * kWordsOfAThread, 2 * words_);
}

void PassedMessages::apply_passed(Cycle now) {
  parts_.rests.settle(now + 1);
  for (std::uint32_t block = parts_.moving.next(0); block != MarkedSet::kEnd;
       block = parts_.moving.next(block + 1)) {
    const auto& planes = parts_.issue[block].threads;
    for (std::uint32_t number = 0; number < planes.size(); ++number) {
      if (planes[number] == nullptr) continue;
      Lanes taking;  // and sending nothing: see Words::apply_passed()
      for (const RampUse& use : planes[number]->inputs) taking |= use.lanes;
      taking.remove(planes[number]->sending);
      if (taking.any()) apply_passed(block, number, taking);
    }
  }
  words_ = parts_.messages.words();
}

// Asks for two runs of each thread: the one that has passed, and the next one, which has not.
void PassedMessages::apply_passed(std::uint32_t block, std::uint32_t number, const Lanes& lanes) {
  using Fetch = TransportClient::Fetch;
  const BlockThreads threads{parts_.threads, parts_.table.grid(), block, number};
  in_steps(
      lanes_.of(lanes),
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        prefetch(&threads[lane]);
        parts_.client.fetch(threads.id(lane), Fetch::Core);
      },
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        prefetch_inputs_.channels(threads[lane]);
        parts_.client.fetch(threads.id(lane), Fetch::Instruction);
      },
      [&](std::uint32_t lane)
          __attribute__((always_inline)) { prefetch_inputs_.run_lists(threads[lane]); },
      [&](std::uint32_t lane)
          __attribute__((always_inline)) { prefetch_inputs_.runs(threads[lane]); },
      [&](std::uint32_t lane)
          __attribute__((always_inline)) { prefetch_inputs_.messages(threads[lane]); },
      [&](std::uint32_t lane)
          __attribute__((always_inline)) { prefetch_inputs_.next_messages(threads[lane]); },
      [&](std::uint32_t lane) {
        const Thread& thread = threads[lane];
        parts_.words.apply_passed(parts_.threads.index(thread.id()), parts_.issue.issued(thread));
      });
}

}  // namespace wse::vm::wafer
