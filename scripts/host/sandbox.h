// The globals of a script: base, string, table, math, utf8, coroutine, three functions
// of os, `require` and `print`; what is missing refuses by name. README.md says what is different
// from Lua and why.
#pragma once

#include <lua.hpp>

namespace wse::script {

// Fills the globals of a fresh state. May raise.
void open_sandbox(lua_State* L);

// The full standard libraries. May raise.
void open_everything(lua_State* L);

}  // namespace wse::script
