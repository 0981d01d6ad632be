// The functions of this build that compiled code may call: the names of externals.txt with their
// addresses. They go to the module as a table, so that whoever links the room exports nothing.
#pragma once

#include <span>

#include "jit/compiler.h"

namespace wse::jit {

std::span<const ExternalFunction> external_functions();

}  // namespace wse::jit
