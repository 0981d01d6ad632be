// The wavelets that ever left the tiles of a mesh over links, by port and tile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/machine/topology.h"
#include "vm/support/slice_tiles.h"
#include "vm/support/time.h"

namespace wse::vm {

class LinkSums {
 public:
  // The mesh must live longer.
  explicit LinkSums(const isa::Topology& mesh)
      : mesh_(mesh),
        tiles_(mesh),
        tile_of_(mesh.pes()),
        sums_(mesh.links() * tiles_.size()),
        touched_((sums_.size() + kChunk - 1) / kChunk) {
    for (PeId pe = 0; pe < mesh.pes(); ++pe) {
      tile_of_[pe] = static_cast<std::uint16_t>(tiles_.of(pe));
    }
  }

  void clear() {
    for_each_touched([this](std::size_t first, std::size_t end) {
      std::fill(sums_.data() + first, sums_.data() + end, 0);
    });
  }
  // A wavelet leaves the router of the PE over a link port.
  void leaves(PeId pe, isa::Port port) { add(pe, port, 1); }
  // Counts what came to the PE over that port, unless it came from no router but by a stream.
  void came(PeId pe, isa::Port port, std::uint64_t wavelets) {
    const std::optional<PeId> from = mesh_.neighbour(pe, port);
    if (from) add(*from, isa::opposite(port), wavelets);
  }
  void add(const LinkSums& sums) {
    sums.for_each_touched([&](std::size_t first, std::size_t end) {
      touched_[first / kChunk] = true;
      for (std::size_t row = first; row < end; ++row) sums_[row] += sums.sums_[row];
    });
  }
  // Adds to a row.
  void add_to_row(std::size_t row, std::uint64_t wavelets) {
    touched_[row / kChunk] = true;
    sums_[row] += wavelets;
  }
  // Returns some rows, one or more, to which the caller will add.
  std::span<std::uint64_t> to_add(std::size_t first, std::size_t count) {
    for (std::size_t chunk = first / kChunk; chunk <= (first + count - 1) / kChunk; ++chunk) {
      touched_[chunk] = true;
    }
    return std::span(sums_).subspan(first, count);
  }
  void touch_all() { touched_.assign(touched_.size(), true); }
  // Calls visit(first, end) for ranges of rows that cover all to which something was ever added.
  template <class Visit>
  void for_each_touched(Visit visit) const {
    for (std::size_t chunk = 0; chunk < touched_.size(); ++chunk) {
      if (touched_[chunk] == 0) continue;
      visit(chunk * kChunk, std::min((chunk + 1) * kChunk, sums_.size()));
    }
  }
  // [link port][tile]
  const std::vector<std::uint64_t>& rows() const { return sums_; }
  const SliceTiles& tiles() const { return tiles_; }

 private:
  void add(PeId pe, isa::Port port, std::uint64_t wavelets) {
    add_to_row(mesh_.link_index(port) * tiles_.size() + tile_of_[pe], wavelets);
  }

  const isa::Topology& mesh_;
  SliceTiles tiles_;
  std::vector<std::uint16_t> tile_of_;  // of all PEs
  std::vector<std::uint64_t> sums_;
  // Most programs use few links: rows in which nothing is are not looked at.
  static constexpr std::size_t kChunk = 256;  // rows
  std::vector<std::uint8_t> touched_;         // by chunk: something was added
};

}  // namespace wse::vm
