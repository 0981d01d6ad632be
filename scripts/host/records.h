// Records of runs as Lua tables, and the machines behind them.
#pragma once

#include <lua.hpp>
#include <memory>

#include "vm/machine.h"

namespace wse::script {

// Pushes a fresh table with the fields of the JSON record; `machine_of` finds the machine from it
// as long as the table lives. False: the error is on top.
bool push_record(lua_State* L, const vm::Record& record, bool fine,
                 std::unique_ptr<vm::Machine> machine);

// Of the record at `index`; null if it is none.
vm::Machine* machine_of(lua_State* L, int index);

// Prepares the registry. May raise.
void open_records(lua_State* L);

}  // namespace wse::script
