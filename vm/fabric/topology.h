// Which router a port leads to. The mesh has (0, 0) in the north-west corner, x east, y south.
#pragma once

#include <array>
#include <optional>

#include "isa/fabric.h"
#include "vm/time.h"

namespace wse::vm {

class Mesh {
 public:
  Mesh(std::uint32_t width, std::uint32_t height)
      : width_(width), height_(height), step_{~0u, 1, ~width + 1, width} {}

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  std::uint32_t pes() const { return width_ * height_; }
  std::uint32_t x_of(PeId pe) const { return pe % width_; }
  std::uint32_t y_of(PeId pe) const { return pe / width_; }
  PeId pe_at(std::uint32_t x, std::uint32_t y) const { return y * width_ + x; }

  // The PE behind a link port, or nothing at the edge of the grid. Not for the ramp.
  std::optional<PeId> neighbour(PeId pe, isa::Port port) const {
    switch (port) {
      case isa::Port::West: return x_of(pe) == 0 ? std::nullopt : std::optional(pe - 1);
      case isa::Port::East: return x_of(pe) + 1 == width_ ? std::nullopt : std::optional(pe + 1);
      case isa::Port::North: return pe < width_ ? std::nullopt : std::optional(pe - width_);
      case isa::Port::South:
        return y_of(pe) + 1 == height_ ? std::nullopt : std::optional(pe + width_);
      case isa::Port::Ramp: break;
    }
    return std::nullopt;
  }

  // The same where the link is known to exist.
  PeId linked(PeId pe, isa::Port port) const { return pe + step_[static_cast<std::size_t>(port)]; }

 private:
  std::uint32_t width_;
  std::uint32_t height_;
  std::array<std::uint32_t, 4> step_;  // by link port: what to add to a PE, modulo 2^32
};

}  // namespace wse::vm
