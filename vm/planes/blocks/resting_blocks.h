// Blocks that rest. Where queues have taken as much as they gave, and nothing else has changed, the
// next cycle of a block is as the last one, as long as its neighbours show it the same. A steady
// block is left alone: only its counters continue, and they follow when somebody looks.
//
//     cycle        100      101      102  ...  163      164
//     block        steps    steps    rests ... rests    steps      a thread issues its last element
//     pushed       +1       +1       ................ + 62
//
// It wakes when a thread will end, when a FIFO will be full or empty that was not, when a filter
// will let words pass that it has dropped or the other way round, when a neighbour sends otherwise
// or has room otherwise, and when a core does something to it.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/marked_set.h"
#include "vm/planes/bits/router_table.h"

namespace wse::vm::wafer {

class RestingBlocks {
 public:
  // All must live longer.
  RestingBlocks(RouterTable& table, IssueTable& issue, Counters& counters)
      : table_(table),
        issue_(issue),
        counters_(counters),
        rests_(table.grid().blocks()),
        resting_(table.grid().blocks()),
        called_(table.grid().blocks()) {}

  const MarkedSet& all() const { return resting_; }
  bool has(std::uint32_t block) const { return resting_.has(block); }
  // The first cycle in which one of them must step: the next one if they move for ever.
  Cycle next(Cycle now);
  // A core has changed what the block will do in the next cycle that is stepped.
  void call(std::uint32_t block) {
    if (has(block)) called_.add(block);
  }
  bool has_called() const { return called_.any(); }

  // Wakes the blocks that must step in cycle `now`.
  void open(Cycle now);
  // A block whose last cycle changed nothing rests from cycle `from` on, if that pays. Its planes
  // hold its last cycle.
  bool begin(std::uint32_t block, Cycle from);
  // The block steps in cycle `now` again.
  void wake(std::uint32_t block, Cycle now);
  // In cycle `now` its threads and routers do as before, but its queues step.
  void join(std::uint32_t block, Cycle now);
  // The counters of all are those at the start of cycle `now`.
  void settle(Cycle now);

 private:
  friend class Invariants;
  struct Rest {
    Cycle from = 0;  // cycles before it are counted
    Cycle due = kNever;
    bool moves = false;
  };
  void end(std::uint32_t block);
  void find_soonest();
  // Counts what queues did before cycle `now`; what threads and filters did.
  void count_queues(std::uint32_t block, Cycle now);
  void count_threads(std::uint32_t block, Cycle now);
  // Steps until the first of the threads that issue has issued all, of the FIFOs is full or empty,
  // or of the filters has seen the last word of a turn.
  std::uint64_t steps_left(std::uint32_t block) const;
  bool moves(std::uint32_t block) const;

  RouterTable& table_;
  IssueTable& issue_;
  Counters& counters_;
  std::vector<Rest> rests_;
  MarkedSet resting_;
  MarkedSet called_;
  Cycle soonest_ = kNever;      // none of all is due before it
  bool soonest_stands_ = true;  // one is due then, or none ever
  std::uint32_t moving_ = 0;    // of all
};

}  // namespace wse::vm::wafer
