// Control wavelets in issue slots, one by one: instructions send them, and take them in the slot of
// an element.
#pragma once

#include <cstdint>

#include "vm/contract/boundary.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/arrivals.h"
#include "vm/planes/blocks/block_threads.h"
#include "vm/planes/blocks/down_ramps.h"
#include "vm/planes/words/run_lists.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class ControlSlots {
 public:
  struct Parts {  // all must live longer
    const RouterTable& table;
    const IssueTable& issue;
    const Threads& threads;
    const RunLists& run_lists;
    Words& words;
    Arrivals& arrivals;
    DownRamps& down_ramps;
    TransportClient& client;
  };
  explicit ControlSlots(const Parts& parts) : parts_(parts) {}

  // Sends those that threads of that number issue in this cycle: routers must know what each says.
  void send(const ThreadPlanes& planes, std::uint32_t block, std::uint32_t number);
  // Lets threads of the block take control wavelets from their inputs in this cycle.
  void take(IssuePlanes& planes, std::uint32_t block, Cycle now);

 private:
  // Control wavelets that are alike, of lanes of a router.
  struct Alike {
    StandingSet wavelets;
    std::uint32_t router = 0;
    ChannelId channel = 0;  // of the first of them
  };
  static constexpr std::size_t kMostAlike = 8;
  void add_alike(const Thread& thread, const Standing& wavelet);
  void send_alike();
  // Takes from all inputs of the thread that have one; adds its lane to `cut` if that ends it.
  void take(const Thread& thread, Lanes& cut, Cycle now);

  Parts parts_;
  LaneList lanes_;
  std::vector<Alike> alike_;
};

}  // namespace wse::vm::wafer
