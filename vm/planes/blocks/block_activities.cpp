// Counts lanes that change together, and tells the log of each other one.
#include "vm/planes/blocks/block_activities.h"

namespace wse::vm::wafer {
namespace {

// Calls visit(lanes, activity) for the lanes that do each.
template <class Visit>
void for_each_activity(const ActivityPlanes& planes, Lanes lanes, Visit visit) {
  const auto take = [&](const Lanes& doing, Activity activity) {
    const Lanes these = lanes & doing;
    if (!these.any()) return;
    visit(these, activity);
    lanes.remove(these);
  };
  take(planes.busy, Activity::Busy);
  take(planes.stalled, Activity::MemoryStall);
  take(planes.wait_output, Activity::WaitOutput);
  take(planes.wait_input, Activity::WaitInput);
  take(lanes, Activity::Idle);
}

// Returns the same of one lane.
Activity activity_of(const ActivityPlanes& planes, std::uint32_t lane) {
  if (planes.busy.has(lane)) return Activity::Busy;
  if (planes.stalled.has(lane)) return Activity::MemoryStall;
  if (planes.wait_output.has(lane)) return Activity::WaitOutput;
  return planes.wait_input.has(lane) ? Activity::WaitInput : Activity::Idle;
}

}  // namespace

BlockActivities::BlockActivities(const Grid& grid, const IssueTable& issue, ActivityLog& log)
    : grid_(grid), issue_(issue), log_(log), together_(grid.blocks()) {
  log_.allow(*this);
}

void BlockActivities::change(std::uint32_t block, Cycle now) {
  const IssuePlanes& planes = issue_[block];
  const ActivityPlanes& activities = planes.activity;
  const bool waits_for_fifo = activities.by_fifo.any();
  Together& together = together_[block];
  ActivityLog::Changes changes(log_, now);
  for_each_activity(activities, without(planes.otherwise, together.lanes),
                    [&](const Lanes& lanes, Activity activity) {
                      for_each_pe(grid_, block, lanes, [&](PeId pe, std::uint32_t lane) {
                        const bool is_by_fifo = waits_for_fifo && activities.by_fifo.has(lane);
                        if (changes.add(pe, activity, is_by_fifo)) together.lanes.set(lane);
                      });
                    });
  Counts doing = {};
  for_each_activity(activities, together.lanes, [&](const Lanes& lanes, Activity activity) {
    doing[static_cast<std::size_t>(activity)] = lanes.count();
  });
  changes.move(together.doing, doing);
  together.doing = doing;
  together.since = now;
}

ActivityLog::Sets::Doing BlockActivities::leave(PeId pe) {
  const std::uint32_t block = grid_.block_of(pe);
  const std::uint32_t lane = grid_.lane_of(pe);
  Together& together = together_[block];
  const ActivityPlanes& activities = issue_[block].activity;
  const Activity activity = activity_of(activities, lane);
  --together.doing[static_cast<std::size_t>(activity)];
  together.lanes.clear(lane);
  return {activity, activities.by_fifo.has(lane), together.since};
}

void BlockActivities::part() {
  for (std::uint32_t block = 0; block < together_.size(); ++block) {
    const Lanes lanes = together_[block].lanes;
    for_each_pe(grid_, block, lanes, [&](PeId pe, std::uint32_t) { log_.leave_set(pe); });
  }
}

}  // namespace wse::vm::wafer
