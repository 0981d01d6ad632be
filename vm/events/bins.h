// Counters of a trace: one value for each 64 cycles, the bin. Where a bin is over, its value is
// written: write(first cycle of the bin, value).
#pragma once

#include <algorithm>
#include <cstdint>

#include "vm/support/time.h"

namespace wse::vm {

inline constexpr Cycle kTraceBin = 64;

// How often something happened in a bin.
class BinSum {
 public:
  template <class Write>
  void add(Cycle cycle, const Write& write) {
    const Cycle bin = cycle / kTraceBin;
    if (bin != bin_) end(write);
    bin_ = bin;
    ++value_;
  }
  // Writes the bin that is open, and a zero after it.
  template <class Write>
  void end(const Write& write) {
    if (value_ == 0) return;
    write(bin_ * kTraceBin, value_);
    write((bin_ + 1) * kTraceBin, 0);
    value_ = 0;
  }

 private:
  Cycle bin_ = 0;
  std::uint64_t value_ = 0;
};

// The most that there was at the end of a cycle of the bin, of what stays until it changes.
class BinMost {
 public:
  template <class Write>
  void change(std::uint64_t value, Cycle cycle, const Write& write) {
    if (cycle != cycle_) settle(cycle, write);
    value_ = value;
  }
  template <class Write>
  void end(const Write& write) {
    write(cycle_ / kTraceBin * kTraceBin, std::max(most_, value_));
  }

 private:
  template <class Write>
  void settle(Cycle now, const Write& write) {
    const Cycle bin = now / kTraceBin;
    const Cycle before = cycle_ / kTraceBin;
    most_ = std::max(most_, value_);
    cycle_ = now;
    if (bin == before) return;
    write(before * kTraceBin, most_);
    if (bin > before + 1) write((before + 1) * kTraceBin, value_);
    most_ = now > bin * kTraceBin ? value_ : 0;
  }

  Cycle cycle_ = 0;  // of the last change
  std::uint64_t value_ = 0;
  std::uint64_t most_ = 0;  // before that, in the bin of that cycle
};

}  // namespace wse::vm
