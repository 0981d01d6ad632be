// Counts of a PE are found by its number, unless that takes much more memory.
#include "vm/ledger/line_counts.h"

#include <algorithm>

namespace wse::vm {

LineCounts::LineCounts(const LineMap& map, const PeRange& pes, const Loaded& loaded) {
  std::size_t widest = 0;
  std::size_t needed = 0;
  for (const PeId id : loaded.placed()) {
    if (!pes.contains(id)) continue;
    const std::size_t rows = map.rows(loaded.program_at(id)->number);
    widest = std::max(widest, rows);
    needed += rows;
  }
  if (widest * pes.size() <= needed + needed / 4) {
    stride_ = widest;
    counts_.resize(stride_ * pes.size());
    return;
  }
  firsts_.resize(pes.size());
  std::size_t next = 0;
  for (const PeId id : loaded.placed()) {
    if (!pes.contains(id)) continue;
    firsts_[pes.index(id)] = next;
    next += map.rows(loaded.program_at(id)->number);
  }
  counts_.resize(next);
}

}  // namespace wse::vm
