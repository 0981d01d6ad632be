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

// Stops the program at a cycle in so many processes, which write its state. `after` processes take
// it up and must end as a whole run does. Runs that are over there are not compared; `processes` is
// 0 then. Where no two PEs run one instance of a program, `is_same_ahead`, the state must be that
// of one thread, byte for byte: others run ahead of the clock where one of their process has
// planned the next instruction before.
ProcessedRun compare_restored(const Setup& setup, const Way& way, std::uint64_t at,
                              std::uint32_t processes, std::uint32_t after, bool is_same_ahead);

}  // namespace wse::differential
