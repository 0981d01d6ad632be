// Machines of a user's own: a profile with some of its numbers changed, told as a table of Lua.
//
//     return {base = "wse2", hop_latency = 2}          a file, slow_hops.lua
//     return {tsc_read = 13, intervals = {tsc_read = {12, 14}}}
//
// A number that is given has no interval but the one that is given too; others keep both of their
// base.
//
// isa and vm get the profile as a value and know nothing of Lua.
#pragma once

#include <lua.hpp>
#include <string>
#include <string_view>

#include "scripts/host/binding.h"
#include "scripts/host/script.h"

namespace wse::script {

// The profile of that name, as an option of the command line says it; an error lists all.
isa::Result<ChosenMachine> named_machine(const std::string& name);

// The table at `index` changes its `base`; `base` if it names none. Reads it raw, raises nothing.
isa::Result<ChosenMachine> table_machine(lua_State* L, int index, const ChosenMachine& base);

// Runs the text of a file, which returns such a table; its stem is the machine's name. The stack
// is as before, or an error value is on top of it.
std::expected<isa::MeasuredProfile, BindingError> file_machine(lua_State* L,
                                                               const std::string& text,
                                                               const std::string& file);

// The same for a file that the script may read.
std::expected<ChosenMachine, BindingError> load_machine(lua_State* L, const std::string& file);

// Returns the machine of the value at `index`: a name, a file or a table.
std::expected<ChosenMachine, BindingError> machine_of_value(lua_State* L, int index);

}  // namespace wse::script
