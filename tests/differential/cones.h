// Rectangles of machines that are run alone, all other PEs standing still, beside whole machines.
#pragma once

#include "tests/differential/compare.h"
#include "tests/differential/generator.h"

namespace wse::differential {

// Writes the state of random rectangles at random cycles and runs each for some cycles: whoever is
// further from those who stand still than that must do, and be, as in the whole machine. Empty
// where the program's topology has no rectangles.
Comparison compare_cones(const Generated& program, std::uint32_t seed);

}  // namespace wse::differential
