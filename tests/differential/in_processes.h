// Machines whose strips are processes (tests/support/processes.h): they have nothing of each other
// but what messages say, and must end as a machine on one thread did.
#pragma once

#include <cstdint>
#include <string>

#include "tests/differential/runs.h"

namespace wse::differential {

// Runs the program on so many strips, each in a process of its own, and returns the differences to
// `expected`, a run of the same way on one thread: in how and when it ended, counters, totals,
// marks, the place of a trap, arrays of the profile, and of each PE its memory and all that its
// state shows. Lines and slices are not kept.
std::string compare_in_processes(const Setup& setup, const Run& expected, const Way& way);

}  // namespace wse::differential
