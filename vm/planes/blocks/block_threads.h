// Threads of a block, one by one: the lanes of a plane as a list, and the way from a lane to its
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vm/planes/bits/grid.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/bits/threads.h"

namespace wse::vm::wafer {

class LaneList {
 public:
  LaneList() : lanes_(kLanes) {}

  // Lists the lanes that are set, ascending. Valid until the next call.
  std::span<const std::uint32_t> of(const Lanes& lanes) {
    std::size_t count = 0;
    for_each_lane(lanes, [&](std::uint32_t lane) { lanes_[count++] = lane; });
    return std::span(lanes_).first(count);
  }

 private:
  std::vector<std::uint32_t> lanes_;
};

// The threads with one number in a block.
struct BlockThreads {
  const Threads& threads;
  const Grid& grid;
  std::uint32_t block = 0;
  std::uint32_t number = 0;

  [[gnu::always_inline]] ThreadId id(std::uint32_t lane) const {
    return {grid.pe_of(block, lane), number};
  }
  [[gnu::always_inline]] const Thread& operator[](std::uint32_t lane) const {
    return threads[id(lane)];
  }
};

}  // namespace wse::vm::wafer
