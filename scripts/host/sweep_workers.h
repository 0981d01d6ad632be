// The two sides of a sweep in worker processes: what a worker does, and the parent that gathers.
//
// Of a worker the parent gets, in this order: the point that it begins, what the point prints and
// logs, how it ended. What is printed comes out in the order of the points; a row is delivered
// at once. Must never run a function of the script in the parent.
#pragma once

#include "scripts/host/binding.h"
#include "scripts/host/session.h"

namespace wse::script {

// The binding's stack is as sweep_point.h says. `progress` is told of each row.
Returned run_in_workers(lua_State* L, std::uint64_t count, std::uint32_t workers,
                        const std::function<void()>& progress);

}  // namespace wse::script
