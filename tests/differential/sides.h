// States of all sides of a program after some cycles: of the oracle, the machine with a trace, the
// stepper, and the wafer on one to three threads.
#pragma once

#include <cstdint>
#include <string>

#include "tests/differential/generator.h"

namespace wse::differential {

// Returns, for the first PEs that some sides see otherwise, registers, threads, tasks, queues and
// positions after cycles 0 .. program.limit - 1, and of memory what is not the same. A line that
// begins with "!" names the sides of each value. The program must assemble and have a limit.
std::string compare_states(const Generated& program);

}  // namespace wse::differential
