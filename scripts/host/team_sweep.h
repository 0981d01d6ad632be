// Sweeps of a script that several ranks run (team.h). Every rank starts worker processes of its own
// (crew.h), and its own process only speaks: the leader gives points to workers that have none, and
// gets their frames. Its results of a sweep are then as without ranks: rows in a file, prints in
// the order of the points.
//
//     leader   begin_sweep -> run_points ... on_row -> end_sweep(rows)
//     others   follow_sweep(run): workers run points -> the rows of the leader
//
// The stack of the bindings is as sweep_point.h says.
#pragma once

#include <functional>

#include "scripts/host/binding.h"

namespace wse::script {

// team_role() -> "leads", "follows"; nothing if the sweep that begins runs without a team: there is
// none, or it is inside another sweep.
Returned team_role(lua_State* L);

// begin_sweep(): waits for all ranks to come to this sweep.
Returned begin_sweep(lua_State* L);

// end_sweep(fine, rows or error): gives all ranks the rows, or the error, and ends the sweep.
Returned end_sweep(lua_State* L);

// follow_sweep(run) -> rows: runs points for the leader; raises the sweep's error.
Returned follow_sweep(lua_State* L);

// Runs the points on all ranks, for run_points (sweep.h) of the leader.
Returned run_in_team(lua_State* L, std::uint64_t count, const std::function<void()>& progress);

}  // namespace wse::script
