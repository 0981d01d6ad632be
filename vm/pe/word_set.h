// Sets of 16-bit memory words that an operand touches, and whether two of them meet.
//
// Exact for strided elements, bounding boxes first.
#pragma once

#include <cstdint>

#include "isa/descriptor.h"

namespace wse::vm {

// `count` elements of `width` bytes, `stride` bytes apart (negative: downwards; 0: all the same).
struct WordSet {
  std::int64_t first = 0;  // byte address of element 0
  std::int64_t stride = 0;
  std::int64_t count = 0;
  std::int64_t width = 4;

  bool operator==(const WordSet&) const = default;
  std::int64_t low() const { return stride >= 0 ? first : first + (count - 1) * stride; }
  std::int64_t high() const { return (stride >= 0 ? first + (count - 1) * stride : first) + width; }
};

WordSet words_of(const isa::Descriptor& memory, std::uint32_t length, std::uint32_t element_bytes);

// True if some 16-bit word belongs to both.
bool intersect(const WordSet& a, const WordSet& b);

}  // namespace wse::vm
