// The past that explanations need and no queue shows: the words that each PE took and
// sent of each colour, how often each task ran, and what control wavelets did to each switch.
//
// Written when an instruction ends, a task is picked or a control wavelet moves, never per element;
// nothing that the machine does may depend on it. A count that reaches 2^32 - 1 stays there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "vm/contract/switch_turn.h"
#include "vm/load/channel_map.h"
#include "vm/support/prefetch.h"
#include "vm/support/untouched_table.h"

namespace wse::vm {

class History {
 public:
  // Data words of a channel: taken from its down-ramp by ended instructions and by data tasks, put
  // into its up-ramp by ended instructions.
  struct Words {
    std::uint32_t taken = 0;
    std::uint32_t sent = 0;
  };

  // The past of the switch of a channel.
  struct Switching {
    std::uint32_t controls = 0;       // control wavelets that its router moved
    std::uint32_t turns = 0;          // those that moved the switch
    std::uint32_t idle_controls = 0;  // those that changed nothing
    std::uint32_t ended = 0;          // those that had no way on
    std::uint32_t advances = 0;       // advances that moved the switch
    std::uint32_t idle_advances = 0;  // advances that changed nothing
    Turn last_control = Turn::Made;   // of the last idle one: why
    Turn last_advance = Turn::Made;

    bool has_turned() const { return turns + advances > 0; }
  };

  void open_channels(std::size_t count) {
    words_ = UntouchedTable<Words>(count, PageSize::Small);
    switching_ = UntouchedTable<Switching>(count, PageSize::Small);
  }
  // Where the counts of PEs with so many tasks in all begin: one per task.
  std::uint32_t open_tasks(std::size_t count) {
    const auto first = static_cast<std::uint32_t>(runs_.size());
    runs_.resize(runs_.size() + count);
    return first;
  }

  void took(ChannelId channel, std::uint64_t words) { add(words_[channel].taken, words); }
  void sent(ChannelId channel, std::uint64_t words) { add(words_[channel].sent, words); }
  // Counts a control wavelet that left a queue of the router; `goes_on`: to some port.
  void controlled(ChannelId channel, Turn turn, bool goes_on) {
    Switching& here = switching_[channel];
    add(here.controls, 1);
    if (!goes_on) add(here.ended, 1);
    if (turn == Turn::Made) return add(here.turns, 1);
    if (turn == Turn::TornDown) return;
    add(here.idle_controls, 1);
    here.last_control = turn;
  }
  // Counts an advance of the switch, without effect unless `turn` is Made.
  void advanced(ChannelId channel, Turn turn) {
    Switching& here = switching_[channel];
    if (turn == Turn::Made) return add(here.advances, 1);
    add(here.idle_advances, 1);
    here.last_advance = turn;
  }
  // Pass the past of a channel, and how often a task ran (vm/support/state_archive.h).
  template <class Archive>
  void pass_channel(Archive& archive, ChannelId channel) {
    archive.number(words_[channel].taken);
    archive.number(words_[channel].sent);
    Switching& here = switching_[channel];
    for (std::uint32_t* const count : {&here.controls, &here.turns, &here.idle_controls,
                                       &here.ended, &here.advances, &here.idle_advances}) {
      archive.number(*count);
    }
    archive.below(here.last_control, kTurns);
    archive.below(here.last_advance, kTurns);
  }
  template <class Archive>
  void pass_task(Archive& archive, std::uint32_t task) {
    archive.number(runs_[task]);
  }
  void ran(std::uint32_t task) { add(runs_[task], 1); }

  // It will soon be counted there.
  [[gnu::always_inline]] void prefetch_words(ChannelId channel) const {
    prefetch(&words_[channel]);
  }

  Words words(ChannelId channel) const { return words_[channel]; }
  Switching switching(ChannelId channel) const { return switching_[channel]; }
  std::uint32_t runs(std::uint32_t task) const { return runs_[task]; }

 private:
  static void add(std::uint32_t& count, std::uint64_t more) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    count = static_cast<std::uint32_t>(std::min(count + more, kMost));
  }

  UntouchedTable<Words> words_;          // by channel
  UntouchedTable<Switching> switching_;  // by channel
  std::vector<std::uint32_t> runs_;      // of PEs with more than one task: PE by PE, task by task
};

}  // namespace wse::vm
