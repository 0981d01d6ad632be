// Asks the host for what a look at the inputs of a thread needs: five steps, each for when what
// leads to it is there. Changes nothing.
#pragma once

#include <utility>

#include "vm/planes/bits/router_table.h"
#include "vm/planes/bits/threads.h"
#include "vm/planes/words/run_lists.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

class InputPrefetch {
 public:
  // Both must live longer.
  InputPrefetch(const RouterTable& table, const RunLists& run_lists)
      : table_(table), run_lists_(run_lists) {}

  [[gnu::always_inline]] void channels(const Thread& thread) const {
    for (const ChannelId in : thread.in) {
      if (in != kNoChannel) prefetch_all(table_.channels()[in]);
    }
  }
  [[gnu::always_inline]] void run_lists(const Thread& thread) const {
    for_each_ramp(thread, [](const PlaneQueue& queue, std::uint32_t lane)
                              __attribute__((always_inline)) { queue.prefetch_lane(lane); });
  }
  [[gnu::always_inline]] void runs(const Thread& thread) const {
    for_each_ramp(thread,
                  [this](const PlaneQueue& queue, std::uint32_t lane)
                      __attribute__((always_inline)) { run_lists_.fetch().run(queue, lane); });
  }
  [[gnu::always_inline]] void messages(const Thread& thread) const {
    for_each_ramp(thread,
                  [this](const PlaneQueue& queue, std::uint32_t lane)
                      __attribute__((always_inline)) { run_lists_.fetch().message(queue, lane); });
  }
  [[gnu::always_inline]] void next_messages(const Thread& thread) const {
    for_each_ramp(thread, [this](const PlaneQueue& queue, std::uint32_t lane) __attribute__((
                              always_inline)) { run_lists_.fetch().next_message(queue, lane); });
  }

 private:
  // Calls visit(queue, lane) for the down-ramps from which the thread takes.
  template <class Visit>
  [[gnu::always_inline]] void for_each_ramp(const Thread& thread, Visit visit) const {
    for (const ChannelId in : thread.in) {
      if (in == kNoChannel) continue;
      const auto [queue, lane] = table_.queue(in, kDownRamp);
      visit(*queue, lane);
    }
  }

  const RouterTable& table_;
  const RunLists& run_lists_;
};

}  // namespace wse::vm::wafer
