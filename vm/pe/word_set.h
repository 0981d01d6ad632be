// Sets of 16-bit memory words that an operand touches, and whether two of them meet.
//
// Exact for every kind of memory operand, bounding boxes first.
#pragma once

#include <cstdint>

#include "vm/pe/element_path.h"

namespace wse::vm {

class WordSet {
 public:
  WordSet() = default;  // the empty one
  // The first `count` elements of a path, `width` bytes each. The path must not be endless.
  WordSet(ElementPath path, std::uint32_t count, std::uint32_t width);

  static WordSet of_bytes(std::uint32_t address, std::uint32_t bytes);

  const ElementPath& path() const { return path_; }
  bool empty() const { return count_ == 0; }
  // Bytes low .. high - 1 hold all of it.
  std::int64_t low() const { return low_; }
  std::int64_t high() const { return high_; }

  // True if some 16-bit word belongs to both.
  friend bool intersect(const WordSet& a, const WordSet& b);
  // True if both are the same elements in the same order.
  friend bool same_elements(const WordSet& a, const WordSet& b);

 private:
  bool is_dense() const;

  ElementPath path_;
  std::uint32_t count_ = 0;
  std::uint32_t width_ = 0;
  std::int64_t low_ = 0;
  std::int64_t high_ = 0;
};

}  // namespace wse::vm
