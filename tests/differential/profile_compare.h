// Compares the profile of a machine, and the cycles of lines if it counted them, with the oracle's.
#pragma once

#include "tests/differential/differences.h"
#include "tests/oracle/outcome.h"
#include "vm/run/machine.h"

namespace wse::differential {

// Notes each number of a PE, ramp, link or line that differs.
void compare_profile(const vm::Machine& machine, const oracle::Outcome& outcome,
                     Differences& differences);

}  // namespace wse::differential
