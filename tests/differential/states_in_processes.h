// The state of a machine that several processes run, written piece by piece
// (vm/run/state_pieces.h).
#pragma once

#include <cstdint>

#include "tests/differential/runs.h"
#include "tests/support/processes.h"

namespace wse::differential {

// Runs the program in so many processes up to a cycle. Returns the state that the first one has put
// together of all, or why there is none.
test_support::Processes::Result states_in_processes(const Setup& setup,
                                                    const differential::Way& way, std::uint64_t at,
                                                    std::uint32_t processes);

}  // namespace wse::differential
