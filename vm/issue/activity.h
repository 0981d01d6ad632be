// How each PE spends its cycles, kept without looking at PEs in which nothing changes.
//
// What a PE does is known to stay the same until somebody looks at it again; so time is charged in
// stretches, at the next look. Busy phases with a known end (scalar code, set-up, start, drain)
// come first, then what the last look at the issue slots found.
#pragma once

#include <algorithm>
#include <vector>

#include "vm/counters.h"
#include "vm/time.h"

namespace wse::vm {

class ActivityLog {
 public:
  ActivityLog(std::size_t pes, Counters& counters) : counters_(counters), pes_(pes) {}

  // Before any change of the PE in cycle `now`: charges the time since the last look.
  void settle(PeId pe, Cycle now) {
    Pe& log = pes_[pe];
    if (now <= log.settled) return;
    const Cycle busy = std::clamp(log.busy_until, log.settled, now) - log.settled;
    charge(Activity::Busy, busy);
    charge(log.otherwise, now - log.settled - busy);
    log.settled = now;
  }

  // At the end of a run of `end` cycles: charges what is missing. A last look may have come after
  // the end; it found nothing to do, so what was charged too much is what the PE does still.
  void close(PeId pe, Cycle end) {
    settle(pe, end);
    const Cycle beyond = pes_[pe].settled - end;
    counters_.pe_cycles[static_cast<std::size_t>(pes_[pe].otherwise)] -= beyond;
  }

  // The PE is busy in all cycles before `until`.
  void busy_until(PeId pe, Cycle until) {
    pes_[pe].busy_until = std::max(pes_[pe].busy_until, until);
  }

  // What the PE does from the present cycle on, where it is not busy.
  void otherwise(PeId pe, Activity activity) { pes_[pe].otherwise = activity; }

 private:
  struct Pe {
    Cycle settled = 0;
    Cycle busy_until = 0;
    Activity otherwise = Activity::Idle;
  };
  void charge(Activity activity, Cycle cycles) {
    counters_.pe_cycles[static_cast<std::size_t>(activity)] += cycles;
  }

  Counters& counters_;
  std::vector<Pe> pes_;
};

}  // namespace wse::vm
