// The limits of the bit planes, beyond which the stepper is needed.
#pragma once

#include <string>

#include "isa/image/image.h"
#include "isa/machine/profile.h"

namespace wse::vm::wafer {

// Why this image on this machine is left to the stepper, in words; empty if it need not be.
std::string refusal(const isa::Image& image, const isa::Profile& profile);

}  // namespace wse::vm::wafer
