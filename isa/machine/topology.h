// Which routers are linked, and over which ports: a mesh or a binary hypercube.
//
// PEs are numbered row by row. A mesh has (0, 0) in the north-west corner, x east, y south. A
// hypercube of d dimensions is a grid of 2^d by 1; the link dim(k) joins the nodes whose numbers
// differ in bit k. Must know nothing of colours and routes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "isa/machine/fabric.h"

namespace wse::isa {

class Topology {
 public:
  static Topology mesh(std::uint32_t width, std::uint32_t height) { return {width, height, 0}; }
  // 1..kMaxHypercubeDimensions dimensions.
  static Topology hypercube(std::uint32_t dimensions) { return {1u << dimensions, 1, dimensions}; }

  bool is_hypercube() const { return dimensions_ > 0; }
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  std::uint32_t pes() const { return width_ * height_; }
  std::uint32_t x_of(std::uint32_t pe) const { return pe % width_; }
  std::uint32_t y_of(std::uint32_t pe) const { return pe / width_; }
  std::uint32_t pe_at(std::uint32_t x, std::uint32_t y) const { return y * width_ + x; }

  // The link ports of a router are link_port(0) .. link_port(links() - 1).
  std::uint32_t links() const { return is_hypercube() ? dimensions_ : kMeshPorts - 1; }
  Port link_port(std::uint32_t index) const { return static_cast<Port>(index + first_link_); }
  std::uint32_t link_index(Port port) const {
    return static_cast<std::uint32_t>(port) - first_link_;
  }
  // All ports of a router, a mask of bit(Port).
  std::uint32_t ports() const { return ((1u << links()) - 1) << first_link_ | bit(Port::Ramp); }

  // The PE behind a link port, or nothing at the edge of a mesh. Only for ports that routers have.
  std::optional<std::uint32_t> neighbour(std::uint32_t pe, Port port) const {
    const bool at_edge =
        (port == Port::West && x_of(pe) == 0) || (port == Port::East && x_of(pe) + 1 == width_) ||
        (port == Port::North && pe < width_) || (port == Port::South && y_of(pe) + 1 == height_);
    return at_edge ? std::nullopt : std::optional(linked(pe, port));
  }

  // The same where the link is known to exist.
  std::uint32_t linked(std::uint32_t pe, Port port) const {
    const std::uint32_t index = link_index(port);
    return is_hypercube() ? pe ^ 1u << index : pe + step_[index];
  }

  // "a mesh", "a hypercube of 3 dimensions".
  std::string text() const;

 private:
  Topology(std::uint32_t width, std::uint32_t height, std::uint32_t dimensions)
      : width_(width),
        height_(height),
        dimensions_(dimensions),
        first_link_(static_cast<std::uint32_t>(dimensions > 0 ? Port::Dim0 : Port::West)),
        step_{~0u, 1, ~width + 1, width} {}

  std::uint32_t width_;
  std::uint32_t height_;
  std::uint32_t dimensions_;  // 0: a mesh
  std::uint32_t first_link_;
  std::array<std::uint32_t, kMeshPorts - 1> step_;  // mesh, by link: added to a PE, modulo 2^32
};

}  // namespace wse::isa
