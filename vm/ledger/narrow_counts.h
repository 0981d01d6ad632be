// Many counts that rarely need more than 32 bits: what a count loses is kept apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "vm/support/prefetch.h"

namespace wse::vm {

class NarrowCounts {
 public:
  using Low = std::uint32_t;

  void resize(std::size_t count) { low_.resize(count); }
  void clear() {
    std::ranges::fill(low_, 0);
    carries_.clear();
  }

  void add(std::uint32_t at, std::uint64_t more) {
    const std::uint64_t sum = low_[at] + more;
    low_[at] = static_cast<Low>(sum);
    if (sum >> kBits != 0) [[unlikely]]
      carries_[at] += sum >> kBits;
  }
  // It had been added.
  void take_back(std::uint32_t at, std::uint64_t less) {
    const std::uint64_t left = (*this)[at] - less;
    low_[at] = static_cast<Low>(left);
    if (left >> kBits != 0 || carries_.contains(at)) carries_[at] = left >> kBits;
  }
  std::uint64_t operator[](std::uint32_t at) const {
    const auto carry = carries_.find(at);
    return low_[at] + (carry == carries_.end() ? 0 : carry->second << kBits);
  }

  [[gnu::always_inline]] void prefetch(std::size_t at) const { vm::prefetch(&low_[at]); }

 private:
  static constexpr unsigned kBits = 32;

  std::vector<Low> low_;
  std::map<std::uint32_t, std::uint64_t> carries_;  // multiples of 2^32
};

}  // namespace wse::vm
