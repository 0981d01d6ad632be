// Maps of a profile as a page gets them: a number for each PE, or for each tile of k x k PEs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vm/profile/profile.h"

namespace wse::vm {

// A map of all PEs, inside an array of the profile.
struct Plane {
  std::string name;  // "busy", "link.east"
  std::string label;
  std::string_view unit;
  Numbers numbers;
  std::size_t first = 0;     // of its elements in the array
  bool may_be_none = false;  // kNoNumber is no value
  bool is_index = false;     // numbers that cannot be added
};

// Returns the maps that the profile has, in the order of arrays.def, a port at a time.
std::vector<Plane> planes_of(const Profile& profile);

// Numbers of tiles, row by row. Where a tile has no value: kNoNumber, or not a number.
struct Tiles {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint64_t> largest;
  std::vector<float> mean;  // empty where tiles are PEs, and for indices
};

// Reduces a map to tiles of k x k PEs; those at the east and south edge may be smaller.
Tiles tiles_of(const Profile& profile, const Plane& plane, std::uint32_t k);

// Adds up squares of k x k of each map of an array whose last extents are height and width.
std::vector<std::uint64_t> summed(const Numbers& maps, std::uint32_t height, std::uint32_t width,
                                  std::uint32_t k);

// Numbers as little-endian bytes, each of `bytes` 1, 2, 4 or 8: as few as hold all.
struct PackedNumbers {
  int bytes = 1;
  std::vector<std::byte> data;
};
PackedNumbers packed(const std::vector<std::uint64_t>& numbers);

}  // namespace wse::vm
