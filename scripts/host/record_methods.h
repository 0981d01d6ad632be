// Functions of the host module that ask the machine behind a record.
#pragma once

#include "scripts/host/binding.h"

namespace wse::script {

// read_array(record, name) -> table; read_symbol(record, x, y, name) -> number or list
Returned read_array(lua_State* L);
Returned read_symbol(lua_State* L);

// profile_arrays(record) -> list of names; read_profile(record, name) -> table
Returned profile_arrays(lua_State* L);
Returned read_profile(lua_State* L);

// compare_array(record, name, expected) -> table (comparison.h)
Returned compare_array(lua_State* L);

// save_array(record, name, file)
Returned save_array(lua_State* L);

}  // namespace wse::script
