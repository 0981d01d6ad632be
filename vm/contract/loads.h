// Wavelets that passed each ramp and each link of a mesh, or hypercube, in a run.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/machine/fabric.h"
#include "isa/machine/topology.h"
#include "vm/support/time.h"

namespace wse::vm {

class Loads {
 public:
  explicit Loads(const isa::Topology& mesh)
      : up(mesh.pes()),
        down(mesh.pes()),
        taken(mesh.pes()),
        mesh_(mesh),
        links_(std::size_t{mesh.links()} * mesh.pes()) {}

  // That the router of the PE sent over that port, which must be a link.
  std::uint64_t& link(PeId pe, isa::Port port) {
    return links_[std::size_t{mesh_.link_index(port)} * mesh_.pes() + pe];
  }
  std::uint64_t link(PeId pe, isa::Port port) const {
    return const_cast<Loads&>(*this).link(pe, port);
  }

  // By PE.
  std::vector<std::uint64_t> up;     // into its up-ramps
  std::vector<std::uint64_t> down;   // into its down-ramps
  std::vector<std::uint64_t> taken;  // from its down-ramps

 private:
  const isa::Topology& mesh_;
  std::vector<std::uint64_t> links_;
};

}  // namespace wse::vm
