// The wavelets that ever left the tiles of a mesh over links, by port and tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/machine/topology.h"
#include "vm/support/slice_tiles.h"
#include "vm/support/time.h"

namespace wse::vm {

class LinkSums {
 public:
  // The mesh must live longer.
  explicit LinkSums(const isa::Topology& mesh)
      : mesh_(mesh), tiles_(mesh), tile_of_(mesh.pes()), sums_(mesh.links() * tiles_.size()) {
    for (PeId pe = 0; pe < mesh.pes(); ++pe) {
      tile_of_[pe] = static_cast<std::uint16_t>(tiles_.of(pe));
    }
  }

  void clear() { sums_.assign(sums_.size(), 0); }
  // A wavelet leaves the router of the PE over a link port.
  void leaves(PeId pe, isa::Port port) { add(pe, port, 1); }
  // So many came to the PE over that port. Those that come from no router are a stream's, and do
  // not count.
  void came(PeId pe, isa::Port port, std::uint64_t wavelets) {
    const std::optional<PeId> from = mesh_.neighbour(pe, port);
    if (from) add(*from, isa::opposite(port), wavelets);
  }
  void add(const LinkSums& sums) {
    for (std::size_t row = 0; row < sums_.size(); ++row) sums_[row] += sums.sums_[row];
  }
  // [link port][tile]
  const std::vector<std::uint64_t>& rows() const { return sums_; }
  const SliceTiles& tiles() const { return tiles_; }

 private:
  void add(PeId pe, isa::Port port, std::uint64_t wavelets) {
    sums_[mesh_.link_index(port) * tiles_.size() + tile_of_[pe]] += wavelets;
  }

  const isa::Topology& mesh_;
  SliceTiles tiles_;
  std::vector<std::uint16_t> tile_of_;  // of all PEs
  std::vector<std::uint64_t> sums_;
};

}  // namespace wse::vm
