// The module `wse.host`: what the Lua half of the library (scripts/wse) is made of. Users require
// `wse`, not this.
#pragma once

#include <lua.hpp>

namespace wse::script {

// May raise.
void open_host_module(lua_State* L);

}  // namespace wse::script
