// One random program with cohorts and without.
#pragma once

#include <cstdint>

#include "tests/differential/compare.h"

namespace wse::differential {

// Runs it without cohorts on one thread, and with them on one to three threads of the same
// transport, to the end and to a part of it, as the seed draws: record, memory and profile must be
// equal. No oracle runs, so that large sets are cheap.
Comparison compare_cohorts(const Generated& program, std::uint32_t seed);

}  // namespace wse::differential
