// The wavelets on links over time: for each slice of time and tile of PEs how many left the routers
// of the tile, by port.
//
// Transports count what ever went over links (contract/link_sums.h). They are read where a slice
// ends:
//
//     cycle           0    16    32    48    64
//     came so far     0     9    20    20    23      of one link
//     slices             9    11     0     3
#pragma once

#include <cstdint>
#include <vector>

#include "isa/machine/topology.h"
#include "vm/contract/link_sums.h"
#include "vm/ledger/narrow_counts.h"
#include "vm/ledger/slices.h"

namespace wse::vm {

class LinkSlices {
 public:
  // There will be `wanted` slices or more, and at most twice as many. The mesh must live longer.
  LinkSlices(const isa::Topology& mesh, std::uint32_t wanted);

  // The links are to be read when all cycles before this one are done, and not later.
  Cycle due() const { return (slices_ + 1) << shift_; }
  std::uint32_t shift() const { return shift_; }
  // Reads them: read(due(), sums) adds those of all strips.
  template <class Read>
  void take(Read read) {
    sums_.clear();
    read(due(), sums_);
    end_slice();
  }

  // Reads all links at the end of a frame: read() as for take().
  template <class Read>
  std::vector<std::uint64_t> sums_at_end(const SliceFrame& frame, Read read) {
    sums_.clear();
    read(frame.edges.back(), sums_);
    return sums_.rows();
  }
  // Returns the wavelets over the links of a port, [slice][tile row][tile column], in a frame whose
  // slices have 2^shift() cycles or more. `sums` are those at its end.
  std::vector<std::uint64_t> of_port(std::uint32_t port, const SliceFrame& frame,
                                     const std::vector<std::uint64_t>& sums) const;

  // Memory that the slices of a mesh take at most.
  static std::uint64_t bytes(const isa::Topology& mesh, std::uint32_t wanted);

  // Passes them when cycle `now` is done (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive, Cycle now);
  // Keeps the slices, in which nothing was counted here: another process has all.
  void forget_counts() {
    counts_.clear();
    before_.assign(rows_, 0);
  }
  // Adds those of other strips of the same run.
  void add(const LinkSlices& part);

 private:
  void end_slice();
  void merge_neighbours();

  LinkSums sums_;
  Cycle most_;                         // slices, before neighbours become one
  std::size_t rows_;                   // of a slice: ports and tiles
  std::uint32_t shift_ = 0;            // a slice has 2^shift_ cycles
  Cycle slices_ = 0;                   // that are over
  NarrowCounts counts_;                // theirs, one slice after the other
  std::vector<std::uint64_t> before_;  // sums where the last one ended
};

}  // namespace wse::vm
