// Inputs, what a run's exported arrays hold before it: values, windows of a list, or a file, by
// name.
#pragma once

#include <lua.hpp>

#include "scripts/host/binding.h"
#include "vm/run/machine.h"

namespace wse::script {

// Writes the field `inputs` of the table of wse.run at `spec` (absolute) into the machine.
Done set_inputs(lua_State* L, std::string_view caller, int spec, vm::Machine& machine);

}  // namespace wse::script
