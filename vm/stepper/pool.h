// Objects that come and go often, named by number: what one gives back the next one takes, so that
// nothing is allocated once as many as are ever in use at a time have been there.
//
// References are valid until the next take().
#pragma once

#include <cstdint>
#include <vector>

#include "vm/support/prefetch.h"

namespace wse::vm {

inline constexpr std::uint32_t kNothing = ~0u;

template <class T>
class Pool {
 public:
  // As it was given back.
  std::uint32_t take() {
    if (!free_.empty()) {
      const std::uint32_t index = free_.back();
      free_.pop_back();
      if (free_.size() >= kAhead) prefetch_all(items_[free_[free_.size() - kAhead]]);
      return index;
    }
    items_.emplace_back();
    free_.reserve(items_.capacity());
    return static_cast<std::uint32_t>(items_.size() - 1);
  }
  void give_back(std::uint32_t index) { free_.push_back(index); }

  T& operator[](std::uint32_t index) { return items_[index]; }
  const T& operator[](std::uint32_t index) const { return items_[index]; }

 private:
  static constexpr std::size_t kAhead = 4;  // of the one that is taken others are fetched

  std::vector<T> items_;
  std::vector<std::uint32_t> free_;
};

}  // namespace wse::vm
