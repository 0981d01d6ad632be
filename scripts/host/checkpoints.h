// Machines of scripts as files: written where they have stopped, taken up by others.
#pragma once

#include <string>

#include "scripts/host/binding.h"
#include "scripts/host/making.h"
#include "vm/run/machine.h"
#include "vm/session/session.h"

namespace wse::script {

// record_checkpoint(record, file): of a run that has stopped before its end
Returned record_checkpoint(lua_State* L);
// session_checkpoint(session, file)
Returned session_checkpoint(lua_State* L);

// Lets a machine that has begun take up a file. Errors: it cannot be read; it is none of this
// machine.
Done take_up(lua_State* L, Caller caller, vm::Machine& machine, const std::string& file);
// Lets a session that is new take it up. Errors: those above.
Done take_up(lua_State* L, Caller caller, vm::Session& session, const std::string& file);

}  // namespace wse::script
