// A table that grows by parts, as much as there ever is at a time. Once it is large nothing in it
// moves: to copy it to twice the room would touch three times the memory that is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/support/checked.h"
#include "vm/support/large_pages.h"

namespace wse::vm::wafer {

template <class T>
class GrowingTable {
 public:
  T& operator[](std::uint32_t index) {
    isa::check_that(index < size(), "an index into a table names an element");
    return begin_[index >> kShift][index % kPart];
  }
  const T& operator[](std::uint32_t index) const {
    isa::check_that(index < size(), "an index into a table names an element");
    return begin_[index >> kShift][index % kPart];
  }
  std::size_t size() const {
    return parts_.empty() ? 0 : (parts_.size() - 1) * kPart + parts_.back().size();
  }

  // The index of a new one. Invalidates references while there is one part only.
  std::uint32_t add() {
    if (parts_.empty() || parts_.back().size() == kPart) {
      if (!parts_.empty())
        parts_.emplace_back().reserve(kPart);
      else
        parts_.emplace_back();
      begin_.push_back(parts_.back().data());
    }
    LargeVector<T>& last = parts_.back();
    last.emplace_back();
    begin_.back() = last.data();
    return static_cast<std::uint32_t>(size() - 1);
  }
  // As many as fit before memory is needed again.
  std::size_t capacity() const {
    return parts_.empty() ? 0 : (parts_.size() - 1) * kPart + parts_.back().capacity();
  }

 private:
  static constexpr std::uint32_t kShift = 17;
  static constexpr std::uint32_t kPart = 1u << kShift;  // elements

  std::vector<LargeVector<T>> parts_;
  std::vector<T*> begin_;  // of each part
};

}  // namespace wse::vm::wafer
