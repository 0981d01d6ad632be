// The critical path of a profile in rows that a page can draw.
#pragma once

#include <cstdint>

#include "vm/profile/profile.h"

namespace wse::vm {

// Rows that a page has at most: the first ones.
inline constexpr std::uint64_t kMostPathRows = 20'000;

// Steps of one kind, line and colour that follow each other at one PE, or in one direction, make a
// row. The numbers of a row are those of arrays.def; `cycles` are of all its steps.
struct PathRows {
  Numbers kind, cycles, from, to, colour, line;
  std::uint64_t left_out = 0;  // rows
};

// Empty if the profile has no path.
PathRows path_rows(const Profile& profile);

}  // namespace wse::vm
