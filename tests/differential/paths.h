// Critical paths of random programs: what the last event waited for, back to the start of the run.
#pragma once

#include "tests/differential/compare.h"
#include "tests/differential/generator.h"

namespace wse::differential {

// Runs a program with and without a path, up to its end and up to random cycles: the run must be
// the same, the path gapless and as long as the run, whatever is forgotten on the way, and each
// event of the run must have begun when the last of its conditions was fulfilled.
Comparison compare_paths(const Generated& program, std::uint32_t seed);

}  // namespace wse::differential
