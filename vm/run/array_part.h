// Parts of exported arrays: some elements of each PE of a rectangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/instruction/types.h"
#include "vm/support/pe_rect.h"

namespace wse::vm {

// Elements first .. end - 1 of an array, at each PE.
struct ElementRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

// A part of an exported array. Absent choices mean all of it: the rectangle is then the smallest
// that holds all PEs that have the array.
struct ArrayPart {
  std::optional<PeRect> rect{};
  std::optional<ElementRange> elements{};
};

// The shape of such a part, in C order [height][width][count].
struct PartShape {
  isa::Type type = isa::Type::I32;
  bool is_array = false;    // false: one element at each PE
  std::uint32_t first = 0;  // element of each PE,
  std::uint32_t count = 1;  // and how many from there on
  PeRect rect{};

  std::size_t elements() const { return std::size_t{rect.width} * rect.height * count; }
  std::size_t bytes() const { return elements() * isa::info(type).bytes; }
};

}  // namespace wse::vm
