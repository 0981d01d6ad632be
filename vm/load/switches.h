// Whether the switches of an image are some that the machine has: it may come from an assembler
// that was told of another machine.
#pragma once

#include "isa/image.h"
#include "isa/profile.h"

namespace wse::vm {

// Errors: more positions than routers have, a position that changes what it cannot.
isa::Status check_switches(const isa::Image& image, const isa::Profile& profile);

}  // namespace wse::vm
