// `require`: modules of Lua text. `wse` and `wse.*` come from the library, in the data folder; all
// others are looked for beside the script, then there. a.b is a/b.lua or a/b/init.lua.
#pragma once

#include <lua.hpp>

namespace wse::script {

// Lua functions. The second one (--unsafe) falls back on the standard one, its upvalue.
int require_module(lua_State* L);
int require_any(lua_State* L);

// Makes the table on top of the stack (it is popped) the module `name`. May raise.
void provide_module(lua_State* L, const char* name);

}  // namespace wse::script
