// The past of random programs: what PEs wait for at a cycle and when each wait ends, and what
// happened in a rectangle.
#pragma once

#include "tests/differential/compare.h"
#include "tests/differential/generator.h"

namespace wse::differential {

// Asks a run about random cycles, forward and back, on either transport: who waits, the sentences
// about it and the cycles in which waits end must be those of a machine that keeps causes from its
// first cycle on; how waits end must be told as by a replay of the whole machine; and the events of
// a rectangle those of a traced run.
Comparison compare_whys(const Generated& program, std::uint32_t seed);

}  // namespace wse::differential
