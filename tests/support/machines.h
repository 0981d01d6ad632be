// Machines by name, for tests: the profiles, and those of scripts/machines.
#pragma once

#include <string>

#include "isa/machine/profile.h"

namespace wse::test_support {

// A profile, or the machine of scripts/machines/NAME.lua, which may hold a base and lines
// `parameter = number,` alone. Another name ends the test program.
isa::Profile machine(const std::string& name);

}  // namespace wse::test_support
