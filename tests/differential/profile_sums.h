// The profile of a run beside its record: what the PEs did adds up to what the machine did.
#pragma once

#include <string>

#include "tests/differential/runs.h"

namespace wse::differential {

// Returns a line for each sum, or largest number, that is not the record's.
std::string unbalanced(const Run& run);

}  // namespace wse::differential
