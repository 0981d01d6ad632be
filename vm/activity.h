// How each PE spends its cycles, kept without looking at PEs in which nothing changes.
//
// What a PE does is known to stay the same until somebody looks at it again; so time is charged in
// stretches, at the next look. Busy phases with a known end (scalar code, set-up, start, drain)
// come first, then what the last look at the issue slots found. A PE without a program is never
// counted, whatever reaches it.
#pragma once

#include <algorithm>
#include <vector>

#include "vm/counters.h"
#include "vm/time.h"

namespace wse::vm {

class ActivityLog {
 public:
  ActivityLog(std::size_t pes, Counters& counters) : counters_(counters), pes_(pes) {}

  // Before the first cycle: the PE has a program.
  void count(PeId pe) { pes_[pe].settled = 0; }

  // Before any change of the PE in cycle `now`: charges the time since the last look. Cycles that
  // may turn out to lie behind the end of the run, since nothing has finished later, stay open.
  void settle(PeId pe, Cycle now) {
    Pe& log = pes_[pe];
    if (now <= log.settled) return;
    const Cycle busy_end = std::clamp(log.busy_until, log.settled, now);
    charge(Activity::Busy, busy_end - log.settled);
    const Cycle steady_end = std::clamp(log.steady_until, busy_end, now);
    charge_steady(log, busy_end, steady_end);
    const Cycle known = std::clamp(counters_.latest_finish, steady_end, now);
    charge(log.otherwise, known - steady_end);
    if (!log.open.empty()) charge_open(log, counters_.latest_finish);
    if (known < now) leave_open(log, known, now);
    log.settled = now;
  }

  // At the end of a run of `end` cycles: charges what is missing, and nothing behind the end.
  void close(PeId pe, Cycle end) {
    settle(pe, end);
    charge_open(pes_[pe], end);
    pes_[pe].open.clear();
  }

  // The PE is busy in all cycles before `until`.
  void busy_until(PeId pe, Cycle until) {
    pes_[pe].busy_until = std::max(pes_[pe].busy_until, until);
  }

  // Before cycle `until` the PE issues in `first` and every `period` cycles from there on, with
  // memory stalls between. `period` is at most 2: so none of them can lie behind the end of the
  // run.
  void steady(PeId pe, Cycle first, std::uint32_t period, Cycle until) {
    pes_[pe].steady_from = first;
    pes_[pe].period = period;
    pes_[pe].steady_until = until;
  }

  // What the PE does from the present cycle on, where it is neither.
  void otherwise(PeId pe, Activity activity) { pes_[pe].otherwise = activity; }

 private:
  struct Segment {
    Activity activity;
    Cycle from;
    Cycle until;
  };
  struct Pe {
    Cycle settled = kNever;  // its cycles before this one are charged; kNever: none ever is
    Cycle busy_until = 0;
    Cycle steady_from = 0;
    Cycle steady_until = 0;
    std::uint32_t period = 1;
    Activity otherwise = Activity::Idle;
    std::vector<Segment> open;  // not charged yet; empty as long as anything happens anywhere
  };
  // Looked at again and again without a change, a PE has one segment all the same.
  static void leave_open(Pe& log, Cycle from, Cycle until) {
    const bool more = !log.open.empty() && log.open.back().until == from &&
                      log.open.back().activity == log.otherwise;
    if (more) {
      log.open.back().until = until;
    } else {
      log.open.push_back({log.otherwise, from, until});
    }
  }
  void charge_steady(const Pe& log, Cycle from, Cycle until) {
    if (from == until) return;
    const auto issues = [&log](Cycle before) {  // from steady_from on
      return before <= log.steady_from ? 0 : (before - log.steady_from - 1) / log.period + 1;
    };
    const Cycle busy = issues(until) - issues(from);
    charge(Activity::Busy, busy);
    charge(Activity::MemoryStall, until - from - busy);
  }
  void charge_open(Pe& log, Cycle known) {
    for (Segment& segment : log.open) {
      const Cycle until = std::clamp(known, segment.from, segment.until);
      charge(segment.activity, until - segment.from);
      segment.from = until;
    }
    std::erase_if(log.open, [](const Segment& s) { return s.from == s.until; });
  }
  void charge(Activity activity, Cycle cycles) {
    counters_.pe_cycles[static_cast<std::size_t>(activity)] += cycles;
  }

  Counters& counters_;
  std::vector<Pe> pes_;
};

}  // namespace wse::vm
