// Every C function that a script can reach, and what it costs, in one table. Functions get to
// scripts through what is here alone, and one that the table does not have is refused: so none
// can work long where no limit sees it.
//
//     set_function(L, "string", "find", find);     the table on top gets it, with its charge
//     keep_charged(L, "string");                   those of the standard library, with theirs
#pragma once

#include <lua.hpp>
#include <span>
#include <string_view>

#include "scripts/host/costs.h"

namespace wse::script {

struct Charge {
  std::string_view name;  // "string.rep", "print", "wse.host.run"
  Cost cost;              // beside the instruction that calls it; counted before it begins
};

std::span<const Charge> charges();

// Raise if the table has no "LIBRARY.NAME" (library "": the name alone). The field of the table on
// top gets the function; instead_of: as its upvalue what is there.
void set_function(lua_State* L, const char* library, const char* name, lua_CFunction function);
void set_instead(lua_State* L, const char* library, const char* name, lua_CFunction function);

// Gives each C function of the table on top its charge; one that has none goes.
void keep_charged(lua_State* L, const char* library);

// For what other functions return: the function on top gets its charge, or it raises.
void charge_top(lua_State* L, const char* name);

// For a function that is pushed as a closure and charges by itself. Once, before it is pushed.
void declare(lua_State* L, const char* name, lua_CFunction function);

// Whether the C function at the index came through the above.
bool is_charged(lua_State* L, int index);

}  // namespace wse::script
