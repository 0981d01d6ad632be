// Machines that several processes run (tests/support/processes.h): these have nothing of each other
// but what frames say, and their shares, joined, must be a machine that ran on one thread.
#pragma once

#include <cstdint>
#include <string>

#include "tests/differential/runs.h"

namespace wse::differential {

struct ProcessedRun {
  std::uint32_t processes = 0;  // that had strips
  std::string difference;       // from the run on one thread; empty: none
};

// Runs the program in so many processes, each on `way.threads` threads at most, and on one thread
// of this process, on the same transport. Both must be alike in the record with all texts, prints,
// streams, arrays of the profile, cycles of lines, slices of time, lines of a trace, and in the
// memory of each PE and all that its state shows. Traced machines take the stepper, and their
// prints are in the trace.
ProcessedRun compare_in_processes(const Setup& setup, const Way& way, std::uint32_t processes,
                                  bool is_traced);

// Stops the program at a cycle in so many processes, which write its state. One machine that takes
// it up must show what one shows that has run up to there, and `after` processes that take it up
// must end as a whole run does. The bytes may differ: a PE may have run further ahead of the clock,
// or be looked at once more for nothing. Runs that are over there are not compared; `processes` is
// 0 then.
ProcessedRun compare_restored(const Setup& setup, const Way& way, std::uint64_t at,
                              std::uint32_t processes, std::uint32_t after);

}  // namespace wse::differential
