// Sweeps in worker processes of this host: what a worker does (sweep_frames.h), and the parent,
// which gathers (gatherer.h). Must never run a function of the script in the parent.
#pragma once

#include "scripts/host/binding.h"
#include "scripts/host/crew.h"
#include "scripts/host/session.h"

namespace wse::script {

// The binding's stack is as sweep_point.h says. `progress` is told of each row.
Returned run_in_workers(lua_State* L, std::uint64_t count, std::uint32_t workers,
                        const std::function<void()>& progress);

// Starts workers for the points of the binding's stack. Each takes one of `share` parts of the
// host's memory.
std::expected<Crew, BindingError> start_workers(lua_State* L, std::uint64_t count,
                                                std::uint32_t workers, std::uint32_t share,
                                                Crew::Points points);

}  // namespace wse::script
