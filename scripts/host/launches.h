// The functions of a session: wse.start, and what its methods ask the host for.
#pragma once

#include <lua.hpp>

#include "scripts/host/binding.h"

namespace wse::script {

// start(spec) -> session; the fields of the table are those of wse.run but those that judge a whole
// run. main has run to quiet, and the inputs are set before it.
Returned start_session(lua_State* L);

// session_launch(session, prepares, task, arguments or nil, x, y, width, height or nil) -> record,
// or nothing if it only prepares
Returned session_launch(lua_State* L);
// session_run(session, until or nil) -> record
Returned session_run(lua_State* L);
// session_record(session) -> record of what was done since the last launch
Returned session_record(lua_State* L);
// session_cycle(session) -> the first cycle that was not done
Returned session_cycle(lua_State* L);
// session_state(session) -> "quiet", "stopped" or "broken"
Returned session_state(lua_State* L);
// session_tasks(session) -> {name = {"i32", ...}} of what can be launched
Returned session_tasks(lua_State* L);
// session_close(session): its machine is gone
Returned session_close(lua_State* L);

// session_write(session, array, values, x, y, width, height or nil, first, end or nil)
Returned session_write(lua_State* L);
// session_read(session, array, x, y, width, height or nil, first, end or nil) -> table
Returned session_read(lua_State* L);
// session_symbol(session, x, y, name) -> number or list
Returned session_symbol(lua_State* L);
// session_set(session, x, y, name, number or list)
Returned session_set(lua_State* L);
// session_send(session, stream, list): the elements enter while the machine runs on
Returned session_send(lua_State* L);
// session_receive(session, stream, count or nil) -> list, by default of all that have left
Returned session_receive(lua_State* L);
// session_profile(session, name) -> table; session_profiles(session) -> names
Returned session_profile(lua_State* L);
Returned session_profiles(lua_State* L);

}  // namespace wse::script
