// The tiles of a mesh in whose numbers its activity over time is kept: few enough for one picture.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/machine/topology.h"
#include "vm/support/time.h"

namespace wse::vm {

// Tiles of side x side PEs that cover a mesh, row by row; those at the right and the lower border
// may hold fewer.
class SliceTiles {
 public:
  static constexpr std::uint32_t kMost = 16384;

  // The smallest tiles of which kMost suffice.
  explicit SliceTiles(const isa::Topology& mesh);

  std::uint32_t side() const { return side_; }
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  std::size_t size() const { return std::size_t{width_} * height_; }
  std::uint32_t of(PeId pe) const {
    return pe / mesh_width_ / side_ * width_ + pe % mesh_width_ / side_;
  }
  // A slice has at most 2^k cycles: what each PE of a tile counts once a cycle fits into 32 bits.
  std::uint32_t most_shift() const;

 private:
  std::uint32_t mesh_width_ = 1;
  std::uint32_t side_ = 1;
  std::uint32_t width_ = 1;
  std::uint32_t height_ = 1;
};

}  // namespace wse::vm
