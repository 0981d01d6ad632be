// The side of a sweep that gathers: what workers send becomes rows and prints. Prints
// come out in the order of the points; a row is delivered at once. Must never run the script's
// function.
#pragma once

#include <functional>

#include "scripts/host/binding.h"
#include "scripts/host/crew.h"

namespace wse::script {

// The processes that run points: a Crew, or the crews of a team (team_sweep.h).
class Workforce {
 public:
  virtual ~Workforce() = default;
  // Returns true once nothing more will come.
  virtual bool empty() const = 0;
  // Returns their work so far, in the unit of Limits.
  virtual std::uint64_t work() const = 0;
  // Returns the next report; nothing after a short time in which none came. May trip a limit.
  virtual std::optional<Crew::Report> next() = 0;
};

// Gathers the ends of `count` points. The binding's stack is as sweep_point.h says. `done`: the
// work from which that of the workers counts. `progress` is told of each row.
Returned gather_points(lua_State* L, std::uint64_t count, std::uint64_t done, Workforce& workers,
                       const std::function<void()>& progress);

}  // namespace wse::script
