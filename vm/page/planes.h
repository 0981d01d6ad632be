// Maps of a profile as a page gets them: a number for each PE, or for each tile of k x k PEs.
#pragma once

#include <cstdint>
#include <functional>
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
  std::string_view array;    // that has its elements,
  std::size_t first = 0;     // from this one on
  bool may_be_none = false;  // kNoNumber is no value
  bool is_index = false;     // numbers that cannot be added
};

// Returns the maps that the profile has, in the order of arrays.def, a port at a time.
std::vector<Plane> planes_of(const Profile& profile);

// Numbers of tiles, row by row. Where a tile has no value: kNoNumber, or not a number.
struct Tiles {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Numbers largest;
  std::vector<float> mean;  // empty where tiles are PEs, and for indices
};

// Reduces a map to tiles of k x k PEs; those at the east and south edge may be smaller. `numbers`
// are those of its array.
Tiles tiles_of(const Profile& profile, const Plane& plane, const Numbers& numbers, std::uint32_t k);

// Squares of k x k of maps of a width and a height, map after map.
struct Squares {
  std::uint32_t height = 1;
  std::uint32_t width = 1;
  std::uint32_t k = 1;
};
// Calls take(sum) for each square of each map of an array, whose last extents are height and width.
void for_each_sum(const numpy::PackedArray& maps, const Squares& squares,
                  const std::function<void(std::uint64_t)>& take);

}  // namespace wse::vm
