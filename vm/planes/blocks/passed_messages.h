// Room for messages: those that have passed all their receivers are applied before these end.
//
// A long receive of many messages would keep all of them to its end. So when messages take twice
// the room that they took after the last look, what only receives applies what has passed it.
#pragma once

#include <cstdint>

#include "vm/contract/boundary.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/marked_set.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/block_threads.h"
#include "vm/planes/blocks/input_prefetch.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class PassedMessages {
 public:
  struct Parts {  // all must live longer
    const RouterTable& table;
    const IssueTable& issue;
    const Threads& threads;
    const Messages& messages;
    const RunLists& run_lists;
    Words& words;
    RestingBlocks& rests;
    const MarkedSet& moving;  // blocks in which a thread moves
    TransportClient& client;
  };
  explicit PassedMessages(const Parts& parts)
      : parts_(parts), prefetch_inputs_(parts.table, parts.run_lists) {}

  // Makes room at the end of a cycle, if messages take too much.
  void make_room(Cycle now) {
    if (parts_.messages.words() > most_words()) apply_passed(now);
  }

 private:
  std::uint64_t most_words() const;
  void apply_passed(Cycle now);
  // Applies what has passed the threads of that number in a block.
  void apply_passed(std::uint32_t block, std::uint32_t number, const Lanes& lanes);

  Parts parts_;
  InputPrefetch prefetch_inputs_;
  std::uint64_t words_ = 0;  // for which there was room after the last look
  LaneList lanes_;
};

}  // namespace wse::vm::wafer
