// The filter of a colour between a router and its PE, with its counter.
//
// Whoever asks passes() and then count() for the same wavelet, once, in the cycle in which it
// leaves the router, gets what the hardware documents: the state changes from the next cycle on.
#pragma once

#include <array>
#include <cstdint>

#include "isa/support/mutant.h"
#include "vm/load/configuration.h"
#include "vm/stepper/queue.h"

namespace wse::vm {

class FilterState {
 public:
  FilterState() = default;
  explicit FilterState(const FilterSetting& setting)
      : shape_(setting.shape),
        values_(setting.values),
        counter_(values_[kStart]),
        limit_(values_[kLimit]) {}

  bool passes(Wavelet wavelet) const {
    if (wavelet.control() && !shape_.control_filtered) return true;
    switch (shape_.kind) {
      case isa::FilterKind::None: return true;
      case isa::FilterKind::Range: {
        const std::uint32_t index = wavelet.data() >> 16;
        return values_[kLeast] <= index && index <= values_[kMost];
      }
      case isa::FilterKind::Counter:
      case isa::FilterKind::Sparse: {
        const std::uint32_t off = isa::mutant(isa::Mutant::FilterOffByOne) ? 1 : 0;
        return counter_ + off <= values_[kMax];
      }
    }
    return true;
  }

  // The wavelet has left the router, to the PE or rejected.
  void count(Wavelet wavelet) {
    using Counts = isa::FilterCounts;
    const bool counted =
        shape_.counts == Counts::Both || wavelet.control() == (shape_.counts == Counts::Control);
    if (!counted) return;
    if (counter_ < limit_) {
      ++counter_;
      return;
    }
    counter_ = 0;
    const bool changes = shape_.kind == isa::FilterKind::Sparse;
    if (changes && !isa::mutant(isa::Mutant::SparseStays)) limit_ = values_[kThen];
  }

 private:
  // Where the values of the kinds are.
  static constexpr std::size_t kLeast = 0, kMost = 1;
  static constexpr std::size_t kMax = 0, kLimit = 1, kStart = 2, kThen = 3;

  isa::FilterShape shape_;
  std::array<std::uint32_t, isa::kMaxFilterValues> values_ = {};
  std::uint32_t counter_ = 0;
  std::uint32_t limit_ = 0;
};

}  // namespace wse::vm
