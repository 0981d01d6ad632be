// A set of small numbers, visited in ascending order.
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
  void add(const MarkedSet& other) {
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= other.words_[k];
  }
  void clear() { std::ranges::fill(words_, 0); }
  // Calls visit(number) for each that is a member when it comes to its word.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t k = 0; k < words_.size(); ++k) {
      for (std::uint64_t rest = words_[k]; rest != 0; rest &= rest - 1) {
        visit(static_cast<std::uint32_t>(k * 64) +
              static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace wse::vm::wafer
