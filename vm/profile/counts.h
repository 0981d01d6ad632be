// Counts as an array of a profile file: of 32 bits each, or of 64 where one needs them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "vm/numpy/npy.h"

namespace wse::vm {

// The elements of an array on their way: u32 until one needs more, u64 from then on.
class Counts {
 public:
  void add(const std::vector<std::uint64_t>& values) {
    const bool needs_more = std::ranges::any_of(values, [](auto v) { return v > UINT32_MAX; });
    if (needs_more && !is_wide_) widen();
    is_wide_ ? append<std::uint64_t>(values) : append<std::uint32_t>(values);
  }

  // Returns the array; `shape` has as many elements as were added.
  numpy::NpyArray take(std::vector<std::uint64_t> shape) {
    return {.dtype = is_wide_ ? "<u8" : "<u4", .shape = std::move(shape), .data = std::move(data_)};
  }

 private:
  template <class Element>
  void append(const std::vector<std::uint64_t>& values) {
    const std::size_t before = data_.size();
    data_.resize(before + values.size() * sizeof(Element));
    std::byte* to = data_.data() + before;
    for (const std::uint64_t value : values) {
      const auto element = static_cast<Element>(value);
      std::memcpy(to, &element, sizeof element);
      to += sizeof element;
    }
  }

  void widen() {
    std::vector<std::uint64_t> values(data_.size() / sizeof(std::uint32_t));
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::uint32_t element = 0;
      std::memcpy(&element, data_.data() + k * sizeof element, sizeof element);
      values[k] = element;
    }
    data_.clear();
    is_wide_ = true;
    append<std::uint64_t>(values);
  }

  std::vector<std::byte> data_;
  bool is_wide_ = false;
};

}  // namespace wse::vm
