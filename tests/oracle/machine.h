// The whole machine, one cycle after the other.
#pragma once

#include "isa/image.h"
#include "isa/profile.h"
#include "tests/oracle/outcome.h"

namespace wse::oracle {

// Runs cycles 0 .. limit - 1 at most. The image must have passed the assembler.
Outcome run(const isa::Image& image, const isa::Profile& profile, Cycle limit);

}  // namespace wse::oracle
