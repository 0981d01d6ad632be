// Runs the points of wse.sweep (../wse/sweep.lua), in worker processes where that pays.
#pragma once

#include "scripts/host/binding.h"

namespace wse::script {

// run_points(run, points, on_row, label, done, title): calls run(point) for each of the list, and
// on_row(k, fields) here, as they end, with what it returned. label(k) names a point in messages.
// `done`: how many more there are that need no run, and the name of the sweep: for the progress
// line.
//
// With one worker (--threads), one point, inside another sweep, and for `gen`, no process is
// started and the points run in their order.
Returned run_points(lua_State* L);

}  // namespace wse::script
