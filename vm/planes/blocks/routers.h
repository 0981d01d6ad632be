// The routers of a strip in a cycle: all decide with the state at its start, as planes, then all
// queues take and give. Moves that are more than a count are made one by one (marked_moves.h).
#pragma once

#include <cstdint>
#include <vector>

#include "vm/contract/boundary.h"
#include "vm/contract/counters.h"
#include "vm/contract/trap_report.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/bits/steps.h"
#include "vm/planes/blocks/disturbances.h"
#include "vm/planes/blocks/down_ramps.h"
#include "vm/planes/blocks/marked_moves.h"
#include "vm/planes/blocks/queue_peaks.h"
#include "vm/planes/blocks/router_activity.h"
#include "vm/planes/blocks/switches.h"

namespace wse::vm::wafer {

class Routers {
 public:
  struct Parts {  // all must live longer
    const isa::Image& image;
    const isa::Profile& profile;
    const Border& border;
    Counters& counters;
    FirstTrap& trap;
    RouterTable& table;
    const IssueTable& issue;
    const RunLists& run_lists;
    RouterActivity& activity;
    Disturbances& disturbances;
    Switches& switches;
    MarkedMoves& marked;
    DownRamps& down_ramps;
    QueuePeaks& peaks;
    TransportClient& client;
  };
  explicit Routers(const Parts& parts);

  void open() { restless_ = false; }
  // Decides with the state at the start of the cycle. Blocks ascend; neighbours are not updated
  // yet.
  void decide_block(std::uint32_t block, Cycle now);
  // Lets queues of blocks before `end` take and give what was decided. Ends ascend. Blocks that
  // touch a border wait.
  void update_before(std::uint32_t end);
  // Updates the blocks that have waited.
  void update_border();
  // Ends the cycle, when all blocks have been updated.
  void close(Cycle now);

  // Returns whether something has changed in this cycle, or will by itself.
  bool is_restless() const { return restless_; }
  // Returns whether the block and all within reach of it still show the start of the cycle.
  bool shows_start(std::uint32_t block) const {
    return updated_ == 0 || updated_ + table_.grid().reach() <= block;
  }
  // Returns whether all queues have taken and given, so that elements may end and writes act.
  bool is_closed() const { return updated_ == 0 && !activity_.due().any(); }

 private:
  // A filter that a wavelet, which has been moved by then, turns on.
  struct TurnedFilter {
    RouterPlanes* router;
    std::uint32_t lane;
  };

  void decide_router(std::uint32_t number, Cycle now);
  void update_block(std::uint32_t block);
  void trap_off_grid(const RouterPlanes& router, const Lanes& leaving, Cycle now);

  const isa::Image& image_;
  const isa::Profile& profile_;
  const Border& border_;
  Counters& counters_;
  FirstTrap& trap_;
  RouterTable& table_;
  const IssueTable& issue_;
  const RunLists& run_lists_;
  RouterActivity& activity_;
  Disturbances& disturbances_;
  Switches& switches_;
  MarkedMoves& marked_;
  DownRamps& down_ramps_;
  QueuePeaks& peaks_;
  TransportClient& client_;
  bool rotates_;
  bool restless_ = false;
  // In this cycle:
  Moves decided_;  // of the router whose turn it was last
  std::vector<TurnedFilter> turned_;
  std::uint32_t updated_ = 0;  // blocks before it have been
};

}  // namespace wse::vm::wafer
