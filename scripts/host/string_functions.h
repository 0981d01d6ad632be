// The functions of `string` whose work no hook would see: find, match, gmatch, gsub.
// They answer as the standard ones do, charge what they do, and are plain C in this one respect:
// nothing in them has a destructor, so they raise directly.
#pragma once

#include <lua.hpp>

namespace wse::script {

// Puts them into the table on top of the stack. May raise.
void replace_string_functions(lua_State* L);

}  // namespace wse::script
