// Calls that catch errors: pcall, xpcall and the functions of `coroutine`, all as in the manual,
// but an error of a limit goes through them.
//
// The standard ones would let a script continue, and worse: where a hook has raised, Lua runs the
// handler of xpcall, and the __close handlers of a coroutine, without hooks. Here the handler runs
// when the call has been left, and a coroutine that a limit has ended is never closed.
#pragma once

#include <lua.hpp>

namespace wse::script {

// Puts pcall and xpcall into the table on top of the stack. May raise.
void replace_protected_calls(lua_State* L);

// Puts create, wrap, resume and close into the table on top of the stack. May raise.
void replace_coroutine_functions(lua_State* L);

}  // namespace wse::script
