// wse.run as a function of the host module.
#pragma once

#include "scripts/host/binding.h"

namespace wse::script {

// run(spec) -> record
Returned run(lua_State* L);

}  // namespace wse::script
