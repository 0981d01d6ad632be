// The whole machine, one cycle after the other.
#pragma once

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "tests/oracle/jitter.h"
#include "tests/oracle/outcome.h"
#include "tests/oracle/routers.h"
#include "tests/oracle/state.h"

namespace wse::oracle {

// Runs cycles 0 .. limit - 1 at most. The image must have passed the assembler. `words`: what the
// streams bring.
Outcome run(const isa::Image& image, const isa::Profile& profile, const StreamWords& words,
            Cycle limit, const Jitter& jitter = {});

// Returns what each PE and its router are like after such a run, PEs row by row.
std::vector<State> states(const isa::Image& image, const isa::Profile& profile,
                          const StreamWords& words, Cycle limit, const Jitter& jitter = {});

}  // namespace wse::oracle
