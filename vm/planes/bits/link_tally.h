// The wavelets that came over links, by the link and the tile of PEs that sent them, while a run
// lasts: kept only where slices of time are.
//
// A queue that has a tally tells it the steps of its counter when it settles them, so that nobody
// reads the counts of lanes that did not change. Lanes side by side whose wavelets come from the
// same tile, or from tiles of one PE each that follow each other, are a run:
//
//     lane        0  1  2  3 | 4  5  6  7 | 8 ..        runs of tiles of 4 x 4 PEs
//     counted     1  1  0  1 | 0  0  0  1 |
//     row         +3           +1
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vm/contract/link_sums.h"
#include "vm/planes/bits/grid.h"
#include "vm/planes/bits/lanes.h"

namespace wse::vm::wafer {

// Counts of the lanes of a block.
using LaneBytes = std::array<std::uint8_t, kLanes>;

// Returns the counts of lanes whose bit k is in plane k; there are at most 8 planes.
LaneBytes lane_bytes(std::span<const Lanes> planes);

// The tally of the queues behind one link of one block.
class LinkTally {
 public:
  struct Run {
    std::uint16_t begin = 0;  // lane
    std::uint16_t end = 0;
    std::uint32_t row = 0;  // of LinkSums
  };
  // `sums` gets what is counted. Each lane of a run has a row of its own, if `has_rows`, or all of
  // them have one. All must live longer.
  LinkTally(std::span<const Run> runs, bool has_rows, LinkSums& sums)
      : runs_(runs), has_rows_(has_rows), sums_(sums) {}

  // Each lane has counted so many more.
  void count(const LaneBytes& counts);
  // Each of the lanes has counted so many more.
  void count(const Lanes& lanes, std::uint64_t times);

 private:
  void add(const LaneBytes& counts, std::uint64_t times);
  void add_each(const LaneBytes& counts, std::uint64_t times);

  std::span<const Run> runs_;
  bool has_rows_;
  LinkSums& sums_;
};

// Returns the runs of the lanes of a block, for what comes over that link. Wavelets that come from
// no router are a stream's, and have no row.
std::vector<LinkTally::Run> tally_runs(const Grid& grid, std::uint32_t block, isa::Port link,
                                       const SliceTiles& tiles);

}  // namespace wse::vm::wafer
