// An agenda: which PEs must be looked at in which cycle, so that idle ones cost nothing.
//
// Waking a PE for nothing is harmless; forgetting to wake one is an error that shows as a false
// deadlock. Within one cycle each PE appears once, in no particular order: by the rule that a cycle
// depends only on the state at its start, the order cannot matter.
#pragma once

#include <array>
#include <cstddef>
#include <queue>
#include <utility>
#include <vector>

#include "vm/time.h"

namespace wse::vm {

class Agenda {
 public:
  explicit Agenda(std::size_t pes) : near_of_(pes) {}

  // Asks for `pe` in cycle `when`, which must not lie before the cycle taken last, and may be that
  // cycle itself only before it is taken.
  void add(PeId pe, Cycle when) {
    if (when < now_ + kNear) {
      add_near(pe, when);
    } else {
      far_.emplace(when, pe);
    }
  }

  // The first cycle in which somebody must be looked at; kNever if there is none.
  Cycle next() const {
    Cycle first = far_.empty() ? kNever : far_.top().first;
    if (near_count_ == 0) return first;
    for (Cycle when = now_; when < now_ + kNear && when < first; ++when) {
      if (!near_[when % kNear].empty()) return when;
    }
    return first;
  }

  // The PEs of cycle `when`, each once. No earlier cycle may have entries left. The result is valid
  // until the next call.
  const std::vector<PeId>& take(Cycle when) {
    now_ = when;
    while (!far_.empty() && far_.top().first == when) {
      add_near(far_.top().second, when);
      far_.pop();
    }
    std::vector<PeId>& bucket = near_[when % kNear];
    due_.clear();
    due_.swap(bucket);
    near_count_ -= due_.size();
    for (const PeId pe : due_) near_of_[pe] &= ~bit(when);
    return due_;
  }

 private:
  static constexpr Cycle kNear = 64;  // cycles ahead that have a bucket of their own

  static std::uint64_t bit(Cycle when) { return std::uint64_t{1} << when % kNear; }

  void add_near(PeId pe, Cycle when) {
    if ((near_of_[pe] & bit(when)) != 0) return;
    near_of_[pe] |= bit(when);
    near_[when % kNear].push_back(pe);
    ++near_count_;
  }

  using Entry = std::pair<Cycle, PeId>;
  std::array<std::vector<PeId>, kNear> near_;
  std::size_t near_count_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> far_;
  std::vector<std::uint64_t> near_of_;  // by PE: a bit per bucket that holds it
  std::vector<PeId> due_;
  Cycle now_ = 0;
};

}  // namespace wse::vm
