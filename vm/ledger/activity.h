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

  ActivityLog(const PeRange& pes, Counters& counters)
      : counters_(counters), books_(pes), range_(pes), pes_(pes.size()) {}

  // Before the first cycle: the profile, the book of lines, or that of slices, receives all that is
  // charged. It must live longer.
  void keep_profile(PeProfile& profile) {
    books_.keep_profile(profile);
    is_watched_ = true;
  }
  void count_lines(LineCycles& lines) {
    books_.count_lines(lines);
    is_watched_ = true;
  }
  void keep_slices(Slices& slices) {
    books_.keep_slices(slices);
    is_watched_ = true;
  }
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
  void busy_until(PeId pe, Cycle until) { of(pe).busy_until = std::max(of(pe).busy_until, until); }

  // Where that was too much: from `cycle` on the PE need not be busy. How many cycles from there on
  // were charged already.
  Cycle take_back_busy(PeId pe, Cycle cycle) {
    of(pe).busy_until = std::min(of(pe).busy_until, cycle);
    return std::max(of(pe).settled, cycle) - cycle;
  }

  // The PE issues every `period` cycles up to `period` cycles before `until`, with memory stalls
  // between. `period` is at most kMostSteadyCycles: so none of them can lie after the end of the
  // run.
  void steady(PeId pe, std::uint32_t period, Cycle until) {
    if (period == 1) return busy_until(pe, until);
    of(pe).every_other_until = until;
  }

  // Sets what the PE does from the present cycle on, where it is neither; `by_fifo`: it waits, and
  // a FIFO is empty or full.
  void otherwise(PeId pe, Activity activity, bool by_fifo = false) {
    of(pe).otherwise = activity;
    of(pe).by_fifo = by_fifo;
  }
  // Sets that from cycle `now` on, of a PE that need not be settled.
  void otherwise_from(PeId pe, Cycle now, Activity activity, bool by_fifo = false) {
    if (of(pe).otherwise == activity && of(pe).by_fifo == by_fifo) return;
    if (!isa::mutant(isa::Mutant::PastUncharged)) settle(pe, now);
    otherwise(pe, activity, by_fifo);
  }
  // The changes of many PEs in one cycle. Its end charges what they did before: nobody else
  // charges anything meanwhile.
  class Changes;
  // The PE, which need not be settled, is busy in cycle `now`, and then does something else.
  void busy_once(PeId pe, Cycle now, Activity then, bool by_fifo = false) {
    Pe& log = of(pe);
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
    return static_cast<std::uint64_t>(std::ranges::count_if(pes_, [now](const Pe& log) {
      return log.settled != kNever && (std::max(log.busy_until, log.every_other_until) > now ||
                                       log.otherwise == Activity::Busy);
    }));
  }

 private:
  struct Pe {
    Cycle settled = kNever;  // its cycles before this one are charged; kNever: none ever is
    Cycle busy_until = 0;
    Cycle every_other_until = 0;  // busy 2, 4, 6 ... cycles before it
    Activity otherwise = Activity::Idle;
    bool by_fifo = false;
  };
  static_assert(sizeof(Pe) == 32);

  Pe& of(PeId pe) { return pes_[range_.index(pe)]; }
  void settle_all(PeId pe, Pe& log, Cycle now) {
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
      charge_books(pe, activity, from, to);
  }
  [[gnu::noinline]] void charge_books(PeId pe, Activity activity, Cycle from, Cycle to) {
    books_.charge(pe, activity, of(pe).by_fifo, from, to);
  }

  Counters& counters_;
  ChargedBooks books_;
  bool is_watched_ = false;  // there is a book: one test where time is charged
  PeRange range_;
  LargeVector<Pe> pes_;
  std::array<std::uint64_t, kActivities> open_ = {};  // cycles after `open_behind_`, of all PEs
  Cycle open_behind_ = 0;                             // the latest finish when they were opened
};

class ActivityLog::Changes {
 public:
  Changes(ActivityLog& log, Cycle now)
      : log_(log), now_(now), known_until_(known_until(log.counters_, now)) {
    log_.charge_open();
  }
  ~Changes() {
    for (std::size_t k = 0; k < kActivities; ++k) {
      log_.counters_.pe_cycles[k] += known_[k];
      log_.open_[k] += open_[k];
    }
  }
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  // The PE does that from this cycle on.
  void add(PeId pe, Activity activity, bool by_fifo) {
    Pe& log = log_.of(pe);
    prefetch(pe);
    if (log.otherwise == activity && log.by_fifo == by_fifo) return;
    if (!isa::mutant(isa::Mutant::PastUncharged)) settle(pe, log);
    log.otherwise = activity;
    log.by_fifo = by_fifo;
  }

 private:
  // Most PEs that change are side by side.
  void prefetch(PeId pe) const {
    constexpr PeId kAhead = 16;
    log_.prefetch(std::min(pe + kAhead, log_.range_.end - 1));
  }
  void settle(PeId pe, Pe& log) {
    if (now_ <= log.settled) return;
    const bool is_plain = std::max(log.busy_until, log.every_other_until) <= log.settled;
    if (!is_plain || log_.is_watched_) return log_.settle(pe, now_);
    const Cycle known = std::clamp(known_until_, log.settled, now_);
    known_[static_cast<std::size_t>(log.otherwise)] += known - log.settled;
    open_[static_cast<std::size_t>(log.otherwise)] += now_ - known;
    log.settled = now_;
  }

  ActivityLog& log_;
  Cycle now_;
  Cycle known_until_;
  std::array<std::uint64_t, kActivities> known_ = {};
  std::array<std::uint64_t, kActivities> open_ = {};
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

inline ActivityLog::State ActivityLog::state() const { return {pes_, open_, open_behind_}; }

inline void ActivityLog::restore(const State& state) {
  pes_ = state.pes;
  open_ = state.open;
  open_behind_ = state.open_behind;
  books_.forget_windows();
}

}  // namespace wse::vm
