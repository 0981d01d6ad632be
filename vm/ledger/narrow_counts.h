// Many counts that rarely need more than 16 bits: what a count loses is kept apart, first in blocks
// of further 16 bits, which are there where one of their counts needs them, then one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
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
  // It had been added.
  void take_back(std::size_t at, std::uint64_t less) { set(at, (*this)[at] - less); }
  void set(std::size_t at, std::uint64_t count) {
    low_[at] = 0;
    if (is_wide_) [[unlikely]]
      forget_wide(at);
    add(at, count);
  }
  // The count becomes the sum of two, of which it may be one.
  void set_to_sum(std::size_t at, std::size_t first, std::size_t second) {
    const std::uint32_t sum = std::uint32_t{low_[first]} + low_[second];
    if (is_wide_ || sum >> kBits != 0) [[unlikely]]
      return set(at, (*this)[first] + (*this)[second]);
    low_[at] = static_cast<Low>(sum);
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
