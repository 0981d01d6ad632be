// The filter of a colour between a router and its PE, with its counter.
//
// A router asks passes() and then calls count() for the same wavelet, once, in the cycle in which
// it leaves. Then the state changes from the next cycle on, as the hardware documents.
#pragma once

#include <cstdint>

#include "vm/contract/counting_filter.h"
#include "vm/contract/transport_state.h"
#include "vm/load/configuration.h"
#include "vm/stepper/queue.h"

namespace wse::vm {

class FilterState {
 public:
  FilterState() = default;
  explicit FilterState(const FilterSetting& setting)
      : shape_(setting.shape), least_(setting.values[kLeast]), most_(setting.values[kMost]) {
    if (counts()) counting_.open(setting);
  }

  explicit FilterState(const TransportState::Filter& state)
      : shape_(state.shape), least_(state.least), most_(state.most), counting_(state.counting) {}
  // Returns setting and counter; the words that it has dropped are counted elsewhere.
  TransportState::Filter state() const { return {shape_, least_, most_, counting_, 0}; }

  bool passes(Wavelet wavelet) const {
    if (wavelet.control() && !shape_.control_filtered) return true;
    if (counts()) return !counting_.drops();
    if (shape_.kind == isa::FilterKind::None) return true;
    const std::uint32_t index = wavelet.data() >> 16;
    return least_ <= index && index <= most_;
  }

  // The wavelet has left the router, to the PE or rejected.
  void count(Wavelet wavelet) {
    using Counts = isa::FilterCounts;
    const bool counted =
        shape_.counts == Counts::Both || wavelet.control() == (shape_.counts == Counts::Control);
    if (counted && counts()) counting_.count();
  }

 private:
  // Places of the values of a range.
  static constexpr std::size_t kLeast = 0, kMost = 1;

  bool counts() const {
    return shape_.kind == isa::FilterKind::Counter || shape_.kind == isa::FilterKind::Sparse;
  }

  isa::FilterShape shape_;
  std::uint32_t least_ = 0;
  std::uint32_t most_ = 0;
  CountingFilter counting_;
};

}  // namespace wse::vm
