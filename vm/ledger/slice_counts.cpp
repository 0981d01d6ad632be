// Loops over tiles, slice by slice.
#include "vm/ledger/slice_counts.h"

#include <algorithm>

namespace wse::vm {

void SliceCounts::fold(std::uint32_t shift) {
  if (more_.empty()) return;
  std::vector<std::uint32_t> intervals(tiles_);
  std::size_t end = more_.size();  // behind the last slice in which some interval begins or ends
  while (end > 0 && more_[end - 1] == 0) --end;
  end = (end + tiles_ - 1) / tiles_ * tiles_;
  end = std::min(end, counts_.size());  // an interval that fills the last slice ends behind it
  for (std::size_t first = 0; first < end; first += tiles_) {
    std::uint32_t* const counts = counts_.data() + first;
    const std::uint32_t* const more = more_.data() + first;
    for (std::size_t tile = 0; tile < tiles_; ++tile) {
      counts[tile] += (intervals[tile] += more[tile]) << shift;
    }
  }
  more_.clear();
}

void SliceCounts::merge() {
  const std::size_t slices = counts_.size() / tiles_;
  for (std::size_t slice = 1; slice < slices; ++slice) {
    const std::uint32_t* const from = counts_.data() + slice * tiles_;
    std::uint32_t* const to = counts_.data() + slice / 2 * tiles_;
    const bool is_second = slice % 2 == 1;
    for (std::size_t tile = 0; tile < tiles_; ++tile) {
      to[tile] = is_second ? to[tile] + from[tile] : from[tile];
    }
  }
  counts_.resize((slices + 1) / 2 * tiles_);
}

}  // namespace wse::vm
