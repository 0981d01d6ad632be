// The no-ops that a hot PE inserts to cool down: a share of its cycles, drawn anew for each vector
// instruction from the seed of the profile, the PE and the cycle of its start. So they are the same
// on every engine and transport and for any number of threads.
//
// Must never depend on anything else that a run does.
#pragma once

#include <cstdint>

#include "isa/machine/profile.h"
#include "vm/support/time.h"

namespace wse::vm {

// How many before an instruction that issues in so many cycles, all before its first issue.
Cycle noops(const isa::Profile& profile, PeId pe, Cycle start, std::uint64_t issues);

}  // namespace wse::vm
