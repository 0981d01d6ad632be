// The routers that take part in a cycle: those in whose queues something is that may move, and
// those whose queues take or give something.
//
//     router of the block   0 1 2 3 ...      at most 32: a bit each
//     active                1 1 0 0          decides
//     touched               0 1 1 0          updates
//
// A block of which a router decides or updates is due in this cycle. Other blocks are not looked
// at.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/planes/bits/marked_set.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/resting_blocks.h"

namespace wse::vm::wafer {

class RouterActivity {
 public:
  // Both must live longer.
  RouterActivity(const RouterTable& table, const RestingBlocks& rests)
      : table_(table),
        rests_(rests),
        active_(table.grid().blocks()),
        touched_(table.grid().blocks()),
        awake_(table.grid().blocks()),
        due_(table.grid().blocks()) {}

  // Queues of the router take or give something in this cycle.
  void touch(std::uint32_t router) {
    const RouterPlanes& planes = table_[router];
    touched_[planes.block] |= bit_of(planes.block, router);
    due_.add(planes.block);
  }
  // Makes the block due though none of its routers may be touched: it may have become steady.
  void watch(std::uint32_t block) { due_.add(block); }

  bool is_active(std::uint32_t router) const {
    const std::uint32_t block = table_[router].block;
    return (active_[block] & bit_of(block, router)) != 0;
  }
  bool is_touched(std::uint32_t block) const { return touched_[block] != 0; }
  // Returns the routers of the block that may have moved something in this cycle, as bits.
  std::uint32_t looked_at(std::uint32_t block) const { return touched_[block] | active_[block]; }
  // Ends the cycle of the block: these routers, as bits, are active in the next one.
  void renew(std::uint32_t block, std::uint32_t active) {
    touched_[block] = 0;
    active_[block] = active;
    active != 0 ? awake_.add(block) : awake_.remove(block);
  }

  // The first block from that one on that is not steady and has an active router.
  std::uint32_t next_awake(std::uint32_t block) const {
    return awake_.next_outside(rests_.all(), block);
  }
  const MarkedSet& due() const { return due_; }
  // Clears the due blocks, when all have updated.
  void close() { due_.clear(); }

 private:
  std::uint32_t bit_of(std::uint32_t block, std::uint32_t router) const {
    return 1u << (router - table_.first(block));
  }

  const RouterTable& table_;
  const RestingBlocks& rests_;
  std::vector<std::uint32_t> active_;   // by block, its routers as bits
  std::vector<std::uint32_t> touched_;  // by block, its routers as bits
  MarkedSet awake_;                     // blocks with an active router
  MarkedSet due_;
};

}  // namespace wse::vm::wafer
