// Looks at the arguments, chooses where the points run, and runs them if it is here.
#include "scripts/host/sweep.h"

#include <algorithm>

#include "scripts/host/session.h"
#include "scripts/host/sweep_point.h"
#include "scripts/host/sweep_workers.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/team_sweep.h"
#include "vm/support/host_threads.h"

namespace wse::script {
namespace {

constexpr std::uint32_t kMaxWorkers = 256;
constexpr int kStackSlots = 16;

// While it lives a sweep is running.
class Running {
 public:
  explicit Running(Session& session) : session_(session) { ++session_.sweeps; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (--session_.sweeps == 0 && session_.options.progress) session_.options.progress("", 0, 0);
  }

 private:
  Session& session_;
};

std::uint32_t workers_for(const Session& session, std::uint64_t points) {
  if (session.sweeps > 1 || session.options.capture != 0) return 1;
  const std::uint32_t wanted = session.options.threads.value_or(vm::host_processors());
  return static_cast<std::uint32_t>(std::min<std::uint64_t>({wanted, points, kMaxWorkers}));
}

Returned run_here(lua_State* L, std::uint64_t count, const std::function<void()>& progress) {
  Session& session = session_of(L);
  for (std::uint64_t point = 0; point < count; ++point) {
    const PointEnd end = run_point(L, point);
    if (!session.limits.charge(0)) return problem(session.limits.text());
    if (!end.fine) return point_problem(L, point, end);
    if (!deliver(L, point, end.fields)) return problem_on_stack();
    progress();
  }
  return 0;
}

}  // namespace

Returned run_points(lua_State* L) {
  lua_settop(L, kSweepTitle);
  const bool called_well = lua_isfunction(L, kSweepRun) && lua_istable(L, kSweepPoints) &&
                           lua_isfunction(L, kSweepOnRow) && lua_isfunction(L, kSweepLabel);
  const std::optional<std::uint64_t> done = count_at(L, kSweepDone);
  if (!called_well || !done || lua_checkstack(L, kStackSlots) == 0) {
    return problem("run_points: functions and a list of points are wanted");
  }
  Session& session = session_of(L);
  const Running running(session);
  const std::uint64_t count = lua_rawlen(L, kSweepPoints);
  const std::string title = text_at(L, kSweepTitle).value_or("sweep");
  const bool shown = session.sweeps == 1 && session.options.progress;
  if (*done > 0) session.points_left_out = true;
  std::uint64_t rows = *done;
  const auto progress = [&] {
    if (shown) session.options.progress(title, ++rows, *done + count);
  };
  if (session.in_team_sweep && session.sweeps == 1) {
    return count == 0 ? Returned(0) : run_in_team(L, count, progress);
  }
  const std::uint32_t workers = workers_for(session, count);
  return workers > 1 ? run_in_workers(L, count, workers, progress) : run_here(L, count, progress);
}

}  // namespace wse::script
