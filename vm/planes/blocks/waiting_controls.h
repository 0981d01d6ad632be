// Control wavelets in down-ramps that ask for a task: how many each PE has, and which PEs of a
// block have any.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/planes/bits/grid.h"
#include "vm/planes/bits/lanes.h"

namespace wse::vm::wafer {

class WaitingControls {
 public:
  // `pes`: of the strip. `grid` must live longer.
  WaitingControls(const PeRange& pes, const Grid& grid)
      : pes_(pes), grid_(grid), counts_(pes.size()), blocks_(grid.blocks()) {}

  void add(PeId pe) {
    if (++counts_[pes_.index(pe)] == 1) put(pe, true);
  }
  void remove(PeId pe) {
    if (--counts_[pes_.index(pe)] == 0) put(pe, false);
  }

  bool has(PeId pe) const { return counts_[pes_.index(pe)] > 0; }
  bool has_any(std::uint32_t block) const { return blocks_[block].pes > 0; }
  // PEs of the block that have some.
  const Lanes& lanes(std::uint32_t block) const { return blocks_[block].lanes; }

 private:
  struct Block {
    Lanes lanes;
    std::uint32_t pes = 0;
  };
  void put(PeId pe, bool has_some) {
    Block& block = blocks_[grid_.block_of(pe)];
    block.lanes.put(grid_.lane_of(pe), has_some);
    has_some ? ++block.pes : --block.pes;
  }

  PeRange pes_;
  const Grid& grid_;
  std::vector<std::uint16_t> counts_;  // by PE
  std::vector<Block> blocks_;
};

}  // namespace wse::vm::wafer
