// Machines whose state is written down on the way and taken up by others, beside machines in one
// run.
#pragma once

#include "tests/differential/compare.h"
#include "tests/differential/generator.h"

namespace wse::differential {

// Writes the state of a machine at random cycles, lets other machines take it up, on other numbers
// of threads, and both go on: they must end as one run does, and be alike wherever both stop.
Comparison compare_restores(const Generated& program, std::uint32_t seed);

}  // namespace wse::differential
