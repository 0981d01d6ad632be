// Machines whose state is written down on the way and taken up by others, beside machines in one
// run.
#pragma once

#include "tests/differential/compare.h"
#include "tests/differential/generator.h"

namespace wse::differential {

constexpr std::uint32_t kFewStates = 4;  // of a program, where nobody asks for more

// Writes the state of a machine at so many random cycles, lets other machines take it up, on other
// numbers of threads, and both go on: they must end as one run does, and be alike wherever both
// stop. A third of the states is of traced machines, whose lines must be those of one run.
Comparison compare_restores(const Generated& program, std::uint32_t seed,
                            std::uint32_t states = kFewStates);

}  // namespace wse::differential
