// Which lane of which block a PE has: blocks of 512 PEs in the order of their numbers, so that
// narrow grids fill their words as wide ones do.
#pragma once

#include <cstdint>

#include "isa/machine/topology.h"
#include "vm/pe_range.h"
#include "vm/wafer/lanes.h"
#include "vm/wafer/wire.h"

namespace wse::vm::wafer {

inline constexpr std::uint32_t kLinks = isa::kMeshPorts - 1;  // West, East, North, South

class Grid {
 public:
  Grid(const isa::Topology& mesh, const PeRange& pes) : mesh_(mesh), pes_(pes) {}

  std::uint32_t blocks() const {
    return static_cast<std::uint32_t>((pes_.size() + kLanes - 1) / kLanes);
  }
  std::uint32_t block_of(PeId pe) const {
    return static_cast<std::uint32_t>(pes_.index(pe)) / kLanes;
  }
  std::uint32_t lane_of(PeId pe) const {
    return static_cast<std::uint32_t>(pes_.index(pe)) % kLanes;
  }
  // Neighbours of a PE lie at most so many blocks away.
  std::uint32_t reach() const { return (mesh_.width() + kLanes - 1) / kLanes + 1; }
  PeId pe_of(std::uint32_t block, std::uint32_t lane) const {
    return pes_.first + block * kLanes + lane;
  }
  const PeRange& pes() const { return pes_; }
  const isa::Topology& mesh() const { return mesh_; }

  // From a lane to its neighbour's over a link.
  std::int64_t step(std::uint32_t link) const {
    const auto width = static_cast<std::int64_t>(mesh_.width());
    const std::int64_t steps[kLinks] = {-1, 1, -width, width};
    return steps[link];
  }
  Shift shift(std::uint32_t link) const { return Shift::by(step(link)); }

 private:
  const isa::Topology& mesh_;
  PeRange pes_;
};

}  // namespace wse::vm::wafer
