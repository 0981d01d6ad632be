// The smallest tiles of which there are few enough.
#include "vm/support/slice_tiles.h"

#include <bit>

namespace wse::vm {
namespace {

std::uint32_t parts(std::uint32_t whole, std::uint32_t part) { return (whole + part - 1) / part; }

}  // namespace

SliceTiles::SliceTiles(const isa::Topology& mesh) : mesh_width_(mesh.width()) {
  do {
    width_ = parts(mesh.width(), side_);
    height_ = parts(mesh.height(), side_);
  } while (size() > kMost && ++side_ > 0);
}

std::uint32_t SliceTiles::most_shift() const {
  constexpr std::uint32_t kBits = 32;
  return kBits - 1 - static_cast<std::uint32_t>(std::bit_width(side_ * side_ - 1));
}

}  // namespace wse::vm
