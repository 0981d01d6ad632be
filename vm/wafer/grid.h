// Which lane of which block a PE has: blocks of 512 PEs, row by row of the box in which anything
// can happen, so that narrow grids fill their words as wide ones do and idle ones cost nothing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/machine/topology.h"
#include "vm/pe_range.h"
#include "vm/wafer/lanes.h"
#include "vm/wafer/wire.h"

namespace wse::vm::wafer {

inline constexpr std::uint32_t kLinks = isa::kMeshPorts - 1;  // West, East, North, South

// Some columns of some rows.
struct Box {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  // The smallest one of all PEs for which is_used(pe) holds.
  template <class IsUsed>
  static Box around(const isa::Topology& mesh, const PeRange& pes, IsUsed is_used) {
    std::uint32_t left = mesh.width();
    std::uint32_t right = 0;
    std::uint32_t top = mesh.height();
    std::uint32_t bottom = 0;
    for (PeId pe = pes.first; pe < pes.end; ++pe) {
      if (!is_used(pe)) continue;
      left = std::min(left, mesh.x_of(pe));
      right = std::max(right, mesh.x_of(pe) + 1);
      top = std::min(top, mesh.y_of(pe));
      bottom = mesh.y_of(pe) + 1;
    }
    if (right == 0) return {};
    return {left, top, right - left, bottom - top};
  }
};

class Grid {
 public:
  Grid(const isa::Topology& mesh, const Box& box)
      : mesh_(mesh), box_(box), has_whole_rows_(box.width == mesh.width()) {}

  std::uint32_t lanes() const { return box_.width * box_.height; }
  std::uint32_t blocks() const { return (lanes() + kLanes - 1) / kLanes; }
  // Of PEs in the box.
  std::uint32_t block_of(PeId pe) const { return index(pe) / kLanes; }
  std::uint32_t lane_of(PeId pe) const { return index(pe) % kLanes; }
  PeId pe_of(std::uint32_t block, std::uint32_t lane) const {
    const std::uint32_t index = block * kLanes + lane;
    if (has_whole_rows_) return box_.y * mesh_.width() + index;
    return mesh_.pe_at(box_.x + index % box_.width, box_.y + index / box_.width);
  }
  // Calls visit(pe, lane) for the PEs of a block.
  template <class Visit>
  void for_each_pe(std::uint32_t block, Visit visit) const {
    for (std::uint32_t lane = 0; lane < kLanes && block * kLanes + lane < lanes(); ++lane) {
      visit(pe_of(block, lane), lane);
    }
  }
  const isa::Topology& mesh() const { return mesh_; }
  // A neighbour is at most so many lanes away; then, blocks.
  std::uint32_t row() const { return box_.width; }
  std::uint32_t reach() const { return (box_.width + kLanes - 1) / kLanes + 1; }

  // From a lane to its neighbour's over a link.
  std::int64_t step(std::uint32_t link) const {
    const auto width = std::int64_t{box_.width};
    const std::int64_t steps[kLinks] = {-1, 1, -width, width};
    return steps[link];
  }
  Shift shift(std::uint32_t link) const { return Shift::by(step(link)); }

 private:
  std::uint32_t index(PeId pe) const {
    if (has_whole_rows_) return pe - box_.y * box_.width;
    return (mesh_.y_of(pe) - box_.y) * box_.width + mesh_.x_of(pe) - box_.x;
  }

  const isa::Topology& mesh_;
  Box box_;
  bool has_whole_rows_;
};

}  // namespace wse::vm::wafer
