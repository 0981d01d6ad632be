// The functions of `table` that go through ranges in C, where no hook looks: concat, insert, move,
// remove, sort. A range longer than any table that the memory limit allows is refused (lengths
// may come from __len, and elements from __index); what is left is charged. Plain C, like
// string_functions.h.
#pragma once

#include <lua.hpp>

namespace wse::script {

// Puts them into the table on top of the stack. May raise.
void replace_table_functions(lua_State* L);

}  // namespace wse::script
