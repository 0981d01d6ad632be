// One random program that is stopped on the way and continued, against runs without a stop.
#pragma once

#include <cstdint>

#include "tests/differential/compare.h"

namespace wse::differential {

// Advances machines on both transports, on one and three threads, in steps that the seed draws. At
// some stops they must be what a run of so many cycles leaves, and at the end what a whole run
// leaves: record, memory, profile and trace.
Comparison compare_stops(const Generated& program, std::uint32_t seed);

}  // namespace wse::differential
