// The cycles of each PE of a strip in each row of its program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/ledger/line_map.h"
#include "vm/ledger/narrow_counts.h"
#include "vm/load/loaded.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

class LineCounts {
 public:
  using Low = NarrowCounts::Low;  // a count, beside what few of them need

  LineCounts(const LineMap& map, const PeRange& pes, const Loaded& loaded);

  // Rows are those of the PE's program, PEs are numbered from the first one of the strip on.
  void add(std::size_t index, std::uint32_t row, std::uint64_t cycles) {
    counts_.add(first(index) + row, cycles);
  }
  // Subtracts cycles that were added.
  void take_back(std::size_t index, std::uint32_t row, std::uint64_t cycles) {
    counts_.take_back(first(index) + row, cycles);
  }
  std::uint64_t at(std::size_t index, std::uint32_t row) const {
    return counts_[first(index) + row];
  }
  void clear() { counts_.clear(); }

 private:
  std::size_t first(std::size_t index) const {
    return stride_ > 0 ? index * stride_ : firsts_[index];
  }

  NarrowCounts counts_;              // one PE after the other
  std::size_t stride_ = 0;           // rows of each PE; 0: they differ much
  std::vector<std::size_t> firsts_;  // of each PE, where they differ
};

}  // namespace wse::vm
