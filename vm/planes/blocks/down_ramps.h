// The PE's side of the down-ramps: what is at their heads, and who takes it one by one. Data that
// instructions take are counts of planes.
#pragma once

#include <cstdint>

#include "vm/contract/transport.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/blocks/router_activity.h"
#include "vm/planes/blocks/waiting_controls.h"
#include "vm/planes/words/run_lists.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class DownRamps {
 public:
  struct Parts {  // all must live longer
    RouterTable& table;
    const IssueTable& issue;
    Threads& threads;
    RunLists& run_lists;
    Words& words;
    RouterActivity& activity;
    RestingBlocks& rests;
    WaitingControls& controls;
    TransportClient& client;
  };
  explicit DownRamps(const Parts& parts) : parts_(parts) {}

  // See Transport.
  Transport::Head head(ChannelId channel) const;
  std::uint32_t head_data(ChannelId channel);
  // A task takes the head, before the cycle is over.
  std::uint32_t pick(ChannelId channel, Cycle now);
  // A thread takes the head, a control wavelet, with the issue of this cycle.
  void take_control(ChannelId channel, Cycle now);
  // The router drops the head, a control wavelet for which nobody asks.
  void drop_control(ChannelId channel, Cycle now);

 private:
  // The thread that takes from the ramp has taken all before the control wavelet at its head, which
  // leaves.
  void pass_control(ChannelId channel);

  Parts parts_;
};

}  // namespace wse::vm::wafer
