// A set of small numbers, found in ascending order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace wse::vm::wafer {

class MarkedSet {
 public:
  explicit MarkedSet(std::size_t size) : words_((size + 63) / 64) {}

  void add(std::uint32_t number) { words_[number / 64] |= std::uint64_t{1} << number % 64; }
  void remove(std::uint32_t number) { words_[number / 64] &= ~(std::uint64_t{1} << number % 64); }
  bool has(std::uint32_t number) const { return (words_[number / 64] >> number % 64 & 1) != 0; }
  bool any() const {
    return std::ranges::any_of(words_, [](std::uint64_t word) { return word != 0; });
  }
  void clear() { std::ranges::fill(words_, 0); }
  // The first member that is not below `from`; kEnd if there is none.
  static constexpr std::uint32_t kEnd = ~0u;
  std::uint32_t next(std::uint32_t from) const {
    return next(from, [this](std::size_t k) { return words_[k]; });
  }
  // The first of those that are not in `others`, a set of the same size.
  std::uint32_t next_outside(const MarkedSet& others, std::uint32_t from) const {
    return next(from, [&](std::size_t k) { return words_[k] & ~others.words_[k]; });
  }
  // Calls visit(number) in ascending order; it may remove the number.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t k = next(0); k != kEnd; k = next(k + 1)) visit(k);
  }

 private:
  template <class WordAt>
  std::uint32_t next(std::uint32_t from, WordAt word_at) const {
    std::size_t k = from / 64;
    if (k >= words_.size()) return kEnd;
    for (std::uint64_t word = word_at(k) >> from % 64 << from % 64;; word = word_at(k)) {
      if (word != 0)
        return static_cast<std::uint32_t>(k * 64 +
                                          static_cast<std::size_t>(std::countr_zero(word)));
      if (++k == words_.size()) return kEnd;
    }
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace wse::vm::wafer
