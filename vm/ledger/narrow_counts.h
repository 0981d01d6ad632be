// Many counts that rarely need more than 16 bits: what a count loses is kept apart, first in blocks
// of further 16 bits, which are there where one of their counts needs them, then one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace wse::vm {

class NarrowCounts {
 public:
  using Low = std::uint16_t;

  std::size_t size() const { return low_.size(); }
  // Touches no memory.
  void reserve(std::size_t count) { low_.reserve(count); }
  // Counts that are gone, and come back, must be set.
  void resize(std::size_t count) {
    low_.resize(count);
    middle_.resize(std::max(middle_.size(), (count + kBlock - 1) / kBlock));
  }
  void clear() {
    std::ranges::fill(low_, Low{0});
    for (std::vector<Low>& block : middle_) block.clear();
    high_.clear();
    is_wide_ = false;
  }

  void add(std::size_t at, std::uint64_t more) {
    const std::uint64_t sum = low_[at] + more;
    low_[at] = static_cast<Low>(sum);
    if (sum >> kBits != 0) [[unlikely]]
      carry(at, sum >> kBits);
  }
  // The counts from `at` on become what each sum is more than it was, which is forgotten.
  void set_to_differences(std::size_t at, std::span<const std::uint64_t> sums,
                          std::span<std::uint64_t> before) {
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) all |= sums[k] - before[k];
    const bool is_wide = is_wide_ || all >> kBits != 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (is_wide) [[unlikely]]
        set(at + k, sums[k] - before[k]);
      else
        low_[at + k] = static_cast<Low>(sums[k] - before[k]);
      before[k] = sums[k];
    }
  }
  // It had been added.
  void take_back(std::size_t at, std::uint64_t less) { set(at, (*this)[at] - less); }
  void set(std::size_t at, std::uint64_t count) {
    low_[at] = 0;
    if (is_wide_) [[unlikely]]
      forget_wide(at);
    add(at, count);
  }
  // The `count` counts from `at` on become sums of as many from `first` and from `second` on; they
  // may be among these.
  void set_to_sums(std::size_t at, std::size_t first, std::size_t second, std::size_t count) {
    std::uint32_t all = 0;
    for (std::size_t k = 0; k < count; ++k) {
      all |= std::uint32_t{low_[first + k]} + low_[second + k];
    }
    if (is_wide_ || all >> kBits != 0) [[unlikely]] {
      for (std::size_t k = 0; k < count; ++k) {
        set(at + k, (*this)[first + k] + (*this)[second + k]);
      }
      return;
    }
    for (std::size_t k = 0; k < count; ++k) {
      low_[at + k] = static_cast<Low>(low_[first + k] + low_[second + k]);
    }
  }
  std::uint64_t operator[](std::size_t at) const {
    if (!is_wide_) [[likely]]
      return low_[at];
    const std::vector<Low>& block = middle_[at / kBlock];
    if (block.empty()) return low_[at];
    const auto high = high_.find(at);
    return low_[at] + (std::uint64_t{block[at % kBlock]} << kBits) +
           (high == high_.end() ? 0 : high->second << 2 * kBits);
  }

 private:
  static constexpr unsigned kBits = 16;
  static constexpr std::size_t kBlock = 4096;  // counts

  [[gnu::noinline]] void forget_wide(std::size_t at) {
    if (std::vector<Low>& block = middle_[at / kBlock]; !block.empty()) block[at % kBlock] = 0;
    high_.erase(at);
  }
  // Adds multiples of 2^16.
  [[gnu::noinline]] void carry(std::size_t at, std::uint64_t more) {
    std::vector<Low>& block = middle_[at / kBlock];
    if (block.empty()) block.resize(kBlock);
    is_wide_ = true;
    const std::uint64_t sum = block[at % kBlock] + more;
    block[at % kBlock] = static_cast<Low>(sum);
    if (sum >> kBits != 0) high_[at] += sum >> kBits;
  }

  std::vector<Low> low_;
  bool is_wide_ = false;                         // some count has needed more
  std::vector<std::vector<Low>> middle_;         // of each block of counts, or empty
  std::map<std::size_t, std::uint64_t> high_{};  // multiples of 2^32
};

}  // namespace wse::vm
