// Machines whose strips are processes (tests/support/processes.h): they have nothing of each other
// but what messages say, and must end as a machine on one thread did.
#pragma once

#include <cstdint>
#include <string>

#include "tests/differential/runs.h"

namespace wse::differential {

struct ProcessedRun {
  std::uint32_t strips = 0;  // processes
  std::string difference;    // from the run on one thread; empty: none
};

// Runs the program on `way.threads` strips at most, each in a process of its own, and on one thread
// of this process, on the same transport. Both must be alike in how and when they ended, counters,
// totals, marks, the place and the text of a trap, streams, arrays of the profile, cycles of lines,
// slices of time, lines of a trace, and in the memory of each PE and all that its state shows. The
// text of a trap is compared unless two strips trapped in its cycle. Traced machines take the
// stepper.
ProcessedRun compare_in_processes(const Setup& setup, const Way& way, bool is_traced);

}  // namespace wse::differential
