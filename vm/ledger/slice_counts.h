// The cycles of one activity by slice of time and tile of PEs.
//
// An interval that fills many slices is noted where it begins and where it ends, and counts in
// those between once somebody reads them:
//
//     slices of 4 cycles   0        1        2        3        4        5
//     an interval              |----------------------------------|
//     counts               2                                   1
//     more intervals                +1                         -1
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/support/time.h"

namespace wse::vm {

class SliceCounts {
 public:
  SliceCounts() = default;
  // Counts of so many tiles. There are most_slices at most, unless slices cannot become coarser.
  SliceCounts(std::size_t tiles, Cycle most_slices) : tiles_(tiles), most_(most_slices) {
    counts_.reserve(most_ * tiles_);  // touched as slices come
  }

  // Memory of a slice and a tile, at most.
  static constexpr std::size_t kBytes = 2 * sizeof(std::uint32_t);

  bool has(Cycle slice) const { return (slice + 1) * tiles_ <= counts_.size(); }
  void make_room(Cycle slices) {
    if (counts_.size() < slices * tiles_) counts_.resize(slices * tiles_);
  }
  // The slice must be there. A count below 0 is in a slice that an interval fills.
  std::uint32_t& at(Cycle slice, std::size_t tile) { return counts_[slice * tiles_ + tile]; }
  // An interval fills the slices first .. end - 1, which must be there.
  void fill(Cycle first, Cycle end, std::size_t tile) {
    const std::size_t needed = (std::max(most_, end) + 1) * tiles_;
    if (more_.size() < needed) more_.resize(needed);
    ++more_[first * tiles_ + tile];
    --more_[end * tiles_ + tile];
  }
  // Enters the slices, of 2^shift cycles each, that intervals fill.
  void fold(std::uint32_t shift);
  // Neighbours become one, when all is entered.
  void merge();
  // Calls visit(slice, tile, count) for all counts of slices of 2^shift cycles.
  template <class Visit>
  void for_each(std::uint32_t shift, Visit visit) const {
    std::vector<std::uint32_t> intervals(tiles_);  // that fill the slice
    for (std::size_t first = 0; first < counts_.size(); first += tiles_) {
      for (std::size_t tile = 0; tile < tiles_; ++tile) {
        if (first < more_.size()) intervals[tile] += more_[first + tile];
        const std::uint32_t count = counts_[first + tile] + (intervals[tile] << shift);
        if (count != 0) visit(first / tiles_, tile, count);
      }
    }
  }
  // Forgets all, and makes room for so many slices.
  void begin_anew(Cycle slices) {
    counts_.assign(slices * tiles_, 0);
    more_.clear();
  }

 private:
  std::size_t tiles_ = 1;
  Cycle most_ = 0;
  std::vector<std::uint32_t> counts_;  // slice by slice; the last slices may be missing
  // The intervals that fill a slice beyond those that fill the one before. Empty: there are none.
  std::vector<std::uint32_t> more_;
};

}  // namespace wse::vm
