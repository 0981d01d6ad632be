// Where the values of a placement can differ.
#pragma once

#include "isa/image/image.h"

namespace wse::assembler {

// The PEs to look at: one stands for all along a coordinate that no argument and no derived slot
// depends on.
isa::StridedRect varying_pes(const isa::Program& program, const isa::Placement& placement);

}  // namespace wse::assembler
