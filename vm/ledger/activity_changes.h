// Many PEs change what they do in one cycle: what they did before is charged at once.
#pragma once

#include "vm/ledger/activity.h"

namespace wse::vm {

// PEs that only their transport changes: it knows what each does, and tells how many change.
class ActivityLog::Sets {
 public:
  struct Doing {
    Activity activity = Activity::Idle;
    bool by_fifo = false;  // it waits, and a FIFO is empty or full
    Cycle since = 0;       // at least, and not before its set was told of it
  };
  using Counts = std::array<std::uint64_t, kActivities>;  // of PEs

  // The PE is in none of them any more. Returns what it does.
  virtual Doing leave(PeId pe) = 0;

 protected:
  ~Sets() = default;
};

// Its end charges what PEs did before: nobody else charges anything meanwhile.
class ActivityLog::Changes {
 public:
  Changes(ActivityLog& log, Cycle now)
      : log_(log),
        now_(now),
        known_until_(known_until(log.counters_, now)),
        may_join_(log.sets_ != nullptr && !log.is_watched_ && now > 0) {
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

  // The PE, which is in no set, does that from this cycle on. Returns whether it is in one now.
  bool add(PeId pe, Activity activity, bool by_fifo) {
    Pe& log = log_.of(pe);
    prefetch(pe);
    if (log.otherwise == activity && log.by_fifo == by_fifo) return false;
    if (!isa::mutant(isa::Mutant::PastUncharged)) settle(pe, log);
    const bool joins =
        may_join_ && log.settled == now_ && std::max(log.busy_until, log.every_other_until) <= now_;
    if (joins) {
      log = {.settled = 0, .is_in_set = true};
    } else {
      log.otherwise = activity;
      log.by_fifo = by_fifo;
    }
    return joins;
  }
  // How many PEs of a set do what, before this cycle and from it on. PEs that join do nothing
  // before, those that leave nothing after.
  void move(const Sets::Counts& before, const Sets::Counts& after) {
    const Cycle known = std::min(known_until_, now_);
    for (std::size_t k = 0; k < kActivities; ++k) {
      const std::uint64_t end = before[k] - after[k];  // below zero where more begin
      known_[k] += end * known;
      open_[k] += end * (now_ - known);
      log_.in_sets_[k] -= end;
    }
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
  bool may_join_;
  std::array<std::uint64_t, kActivities> known_ = {};
  std::array<std::uint64_t, kActivities> open_ = {};
};

}  // namespace wse::vm
