// Whether an image asks for what the machine has: it may come from an assembler that was told of
// another machine.
#pragma once

#include "isa/image/image.h"
#include "isa/machine/profile.h"

namespace wse::vm {

// Errors: all that the machine does not have, a line each.
isa::Status check_machine_limits(const isa::Image& image, const isa::Profile& profile);

}  // namespace wse::vm
