// How each PE spends its cycles, kept without looking at PEs in which nothing changes.
//
// The activity of a PE stays the same until somebody looks at it again; so time is charged in
// stretches, at the next look. Busy phases with a known end (scalar code, set-up, start, drain)
// come first, then what the last look at the issue slots found. A PE without a program is never
// counted, whatever reaches it.
//
// A run ends with the last cycle in which anything happened, and nothing after it counts. What
// lies after the latest known finish therefore stays open, for all PEs together: whatever finishes
// later was issued later than all that is open, so the next finish that comes lies after all of
// it.
//
// PEs may be charged together, in a set, while nothing but their transport changes what they do: a
// cycle in which one begins with something counts as less than none of it, and one in which it ends
// as so many more. The sums say what PEs did as soon as all have left the sets.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/contract/counters.h"
#include "vm/ledger/charged_books.h"
#include "vm/support/large_pages.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm {

// Returns the cycle before which all that PEs have done by cycle `now` counts, whatever comes.
inline Cycle known_until(const Counters& counters, Cycle now) {
  return isa::mutant(isa::Mutant::RestCounts) ? now : counters.latest_finish;
}

class ActivityLog {
 public:
  // The most cycles between two issues of a steady() phase.
  static constexpr std::uint32_t kMostSteadyCycles = 2;

  // Sets of PEs that are charged together (vm/ledger/activity_changes.h).
  class Sets;

  ActivityLog(const PeRange& pes, Counters& counters)
      : counters_(counters), books_(pes), range_(pes), pes_(pes.size()) {}

  // Before the first cycle: the books receive all that is charged. The caller says which they are.
  ChargedBooks& keep_books() {
    is_watched_ = true;
    return books_;
  }
  // PEs may be in these sets where no book watches them. They must live longer.
  void allow(Sets& sets) { sets_ = &sets; }
  // The PE is in none of them any more.
  void leave_set(PeId pe);
  // Before the first cycle: the PE has a program.
  void count(PeId pe) { of(pe).settled = 0; }

  // Before any change of the PE in cycle `now`: charges the time since the last look.
  void settle(PeId pe, Cycle now) {
    Pe& log = of(pe);
    if (now <= log.settled) return;
    if (now > log.busy_until) return settle_all(pe, log, now);
    charge(pe, Activity::Busy, log.settled, now);
    log.settled = now;
  }

  // At the end of a run of `end` cycles: charges what is missing of `pes`, which are all that have
  // a program, and nothing after the end. Cycles may be open where no PE has a program: a log that
  // was restored may have those of other strips.
  void close(std::span<const PeId> pes, Cycle end) {
    charge_open();
    if (is_watched_) books_.drop_open();
    for (const PeId pe : pes) settle(pe, end);
    flush();
  }
  // Enters all that is charged in the books, before anybody reads them.
  void flush() {
    if (!is_watched_) return;
    for (PeId pe = range_.first; pe < range_.end; ++pe) books_.flush(pe, of(pe).settled);
  }
  // The main thread of the PE is somewhere else from a cycle on, perhaps ahead of the clock.
  void place_changes(PeId pe, Cycle cycle) { books_.place_changes(pe, cycle, of(pe).settled); }

  // The PE is busy in all cycles before `until`.
  void busy_until(PeId pe, Cycle until) {
    Pe& log = alone(pe);
    log.busy_until = std::max(log.busy_until, until);
  }

  // Where that was too much: from `cycle` on the PE need not be busy. How many cycles from there on
  // were charged already.
  Cycle take_back_busy(PeId pe, Cycle cycle) {
    Pe& log = alone(pe);
    log.busy_until = std::min(log.busy_until, cycle);
    return std::max(log.settled, cycle) - cycle;
  }

  // The PE issues every `period` cycles up to `period` cycles before `until`, with memory stalls
  // between. `period` is at most kMostSteadyCycles: so none of them can lie after the end of the
  // run.
  void steady(PeId pe, std::uint32_t period, Cycle until) {
    if (period == 1) return busy_until(pe, until);
    alone(pe).every_other_until = until;
  }

  // Sets what the PE does from the present cycle on, where it is neither; `by_fifo`: it waits, and
  // a FIFO is empty or full.
  void otherwise(PeId pe, Activity activity, bool by_fifo = false) {
    Pe& log = alone(pe);
    log.otherwise = activity;
    log.by_fifo = by_fifo;
  }
  // Sets that from cycle `now` on, of a PE that need not be settled.
  void otherwise_from(PeId pe, Cycle now, Activity activity, bool by_fifo = false) {
    const Pe& log = alone(pe);
    if (log.otherwise == activity && log.by_fifo == by_fifo) return;
    if (!isa::mutant(isa::Mutant::PastUncharged)) settle(pe, now);
    otherwise(pe, activity, by_fifo);
  }
  // Changes of many PEs in one cycle (vm/ledger/activity_changes.h).
  class Changes;
  // The PE, which need not be settled, is busy in cycle `now`, and then does something else.
  void busy_once(PeId pe, Cycle now, Activity then, bool by_fifo = false) {
    Pe& log = alone(pe);
    if (log.busy_until < now) settle(pe, now);
    log.busy_until = std::max(log.busy_until, now + 1);
    log.otherwise = then;
    log.by_fifo = by_fifo;
  }

  // It will soon be looked at.
  [[gnu::always_inline]] void prefetch(PeId pe) const {
    vm::prefetch(&pes_[range_.index(pe)]);
    if (is_watched_) [[unlikely]]
      books_.prefetch(pe);
  }

  // All that is charged and open, apart from the counters.
  struct State;
  State state() const;
  void restore(const State& state);

  // PEs that are busy, or in a memory stall between two issues, in cycle `now`, the last one done.
  std::uint64_t busy_pes(Cycle now) const {
    const auto alone = std::ranges::count_if(pes_, [now](const Pe& log) {
      return log.settled != kNever && (std::max(log.busy_until, log.every_other_until) > now ||
                                       log.otherwise == Activity::Busy);
    });
    return in_sets_[static_cast<std::size_t>(Activity::Busy)] + static_cast<std::uint64_t>(alone);
  }

 private:
  struct Pe {
    Cycle settled = kNever;  // its cycles before this one are charged; kNever: none ever is
    Cycle busy_until = 0;
    Cycle every_other_until = 0;  // busy 2, 4, 6 ... cycles before it
    Activity otherwise = Activity::Idle;
    bool by_fifo = false;
    bool is_in_set = false;  // the rest is as of a PE that has not begun: its set knows
  };
  static_assert(sizeof(Pe) == 32);

  Pe& of(PeId pe) { return pes_[range_.index(pe)]; }
  // The PE is charged by itself from now on.
  Pe& alone(PeId pe) {
    if (of(pe).is_in_set) leave_set(pe);
    return of(pe);
  }
  void settle_all(PeId pe, Pe& log, Cycle now) {
    if (log.is_in_set) {
      leave_set(pe);
      if (now <= log.settled) return;
    }
    charge_open();
    Cycle from = log.settled;
    if (log.busy_until > from) {
      charge(pe, Activity::Busy, from, log.busy_until);
      from = log.busy_until;
    }
    if (log.every_other_until > from) {
      const Cycle until = std::min(log.every_other_until, now);
      charge_every_other(pe, log, from, until);
      from = until;
    }
    const Cycle known = std::clamp(known_until(counters_, now), from, now);
    charge(pe, log.otherwise, from, known);
    open_[static_cast<std::size_t>(log.otherwise)] += now - known;
    if (is_watched_ && known < now) [[unlikely]]
      books_.charge_open(pe, log.otherwise, log.by_fifo, known, now);
    log.settled = now;
  }
  void charge_every_other(PeId pe, const Pe& log, Cycle from, Cycle until) {
    const bool is_even = log.every_other_until % 2 == 0;
    const Cycle even = is_even && !isa::mutant(isa::Mutant::StallsFirst) ? 1 : 0;
    const Cycle busy = (until + even) / 2 - (from + even) / 2;
    counters_.pe_cycles[static_cast<std::size_t>(Activity::Busy)] += busy;
    counters_.pe_cycles[static_cast<std::size_t>(Activity::MemoryStall)] += until - from - busy;
    const bool stalls_first = (log.every_other_until - from) % 2 == 1;
    if (is_watched_) [[unlikely]]
      books_.charge_every_other(pe, from, until, busy, stalls_first);
  }
  // Charges what was open when an earlier finish was the latest.
  void charge_open() {
    if (counters_.latest_finish == open_behind_) return;
    open_behind_ = counters_.latest_finish;
    for (std::size_t k = 0; k < kActivities; ++k) {
      counters_.pe_cycles[k] += open_[k];
      open_[k] = 0;
    }
    if (is_watched_) books_.keep_open();
  }
  // Charges the cycles from..to - 1.
  void charge(PeId pe, Activity activity, Cycle from, Cycle to) {
    counters_.pe_cycles[static_cast<std::size_t>(activity)] += to - from;
    if (is_watched_ && from < to) [[unlikely]]
      books_.charge(pe, activity, of(pe).by_fifo, from, to);
  }

  Counters& counters_;
  ChargedBooks books_;
  bool is_watched_ = false;  // there is a book: one test where time is charged
  PeRange range_;
  LargeVector<Pe> pes_;
  Sets* sets_ = nullptr;
  std::array<std::uint64_t, kActivities> in_sets_ = {};  // PEs that are in sets
  std::array<std::uint64_t, kActivities> open_ = {};     // cycles after `open_behind_`, of all PEs
  Cycle open_behind_ = 0;                                // the latest finish when they were opened
};

struct ActivityLog::State {
  // Passes the activity of a PE, by its index, when cycle `now` is done
  // (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive, std::size_t index, Cycle now) {
    Pe& log = pes[index];
    for (Cycle* const cycle : {&log.settled, &log.busy_until, &log.every_other_until}) {
      archive.number(*cycle);
      archive.expect(is_within_reach(*cycle, now) || *cycle == kNever);
    }
    archive.expect(log.busy_until != kNever && log.every_other_until != kNever);
    archive.below(log.otherwise, kActivities);
    archive.number(log.by_fifo);
  }

  LargeVector<Pe> pes;
  std::array<std::uint64_t, kActivities> open = {};
  Cycle open_behind = 0;
};

}  // namespace wse::vm
