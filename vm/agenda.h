// An agenda: which PEs must be looked at in which cycle, so that idle ones cost nothing.
//
// Waking a PE for nothing is harmless; forgetting to wake one is an error that shows as a false
// deadlock. Within one cycle each PE appears once, in ascending order: neighbours in memory are
// visited one after the other. By the rule that a cycle depends only on the state at its start, the
// order cannot matter.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "vm/pe_range.h"
#include "vm/time.h"

namespace wse::vm {

class Agenda {
 public:
  explicit Agenda(const PeRange& pes)
      : pes_(pes),
        words_(words_for(pes.size())),
        groups_(words_for(words_)),
        near_(kNear * words_),
        near_groups_(kNear * groups_) {}

  // Asks for `pe` in cycle `when`, which must not lie before the cycle taken last, and may be that
  // cycle itself only before it is taken.
  void add(PeId pe, Cycle when) {
    if (when >= now_ + kNear) return add_far(pe, when);
    add_near(pe, when);
  }

  // The first cycle in which somebody must be looked at; kNever if there is none.
  Cycle next() const {
    const Cycle far = far_.empty() ? kNever : far_.top().first;
    if (filled_ == 0) return far;
    const int bucket = static_cast<int>(now_ % kNear);
    const auto ahead = static_cast<Cycle>(std::countr_zero(std::rotr(filled_, bucket)));
    return std::min(far, now_ + ahead);
  }

  // The PEs of cycle `when`, each once. No earlier cycle may have entries left. The result is valid
  // until the next call.
  const std::vector<PeId>& take(Cycle when) {
    now_ = when;
    while (!far_.empty() && far_.top().first == when) {
      add_near(far_.top().second, when);
      far_.pop();
    }
    due_.clear();
    const std::size_t bucket = when % kNear;
    if ((filled_ >> bucket & 1) == 0) return due_;
    filled_ &= ~(std::uint64_t{1} << bucket);
    for (std::size_t group = 0; group < groups_; ++group) {
      empty(near_groups_[bucket * groups_ + group], [&](std::size_t bit) {
        const std::size_t word = group * kBits + bit;
        empty(near_[bucket * words_ + word], [&](std::size_t rest) {
          due_.push_back(pes_.first + static_cast<PeId>(word * kBits + rest));
        });
      });
    }
    return due_;
  }

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr Cycle kNear = 64;  // cycles ahead that have a bucket of their own

  static constexpr std::size_t words_for(std::size_t bits) { return (bits + kBits - 1) / kBits; }

  // Clears the mask and calls visit(k) for each bit k that it had.
  template <class Visit>
  static void empty(std::uint64_t& mask, Visit visit) {
    for (std::uint64_t rest = std::exchange(mask, 0); rest != 0; rest &= rest - 1) {
      visit(static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }

  void add_near(PeId pe, Cycle when) {
    const std::size_t bucket = when % kNear;
    const std::size_t index = pes_.index(pe);
    const std::size_t word = index / kBits;
    near_[bucket * words_ + word] |= std::uint64_t{1} << index % kBits;
    near_groups_[bucket * groups_ + word / kBits] |= std::uint64_t{1} << word % kBits;
    filled_ |= std::uint64_t{1} << bucket;
  }

  [[gnu::noinline]] void add_far(PeId pe, Cycle when) { far_.emplace(when, pe); }

  using Entry = std::pair<Cycle, PeId>;
  PeRange pes_;
  std::size_t words_;                       // of near_, of a bucket
  std::size_t groups_;                      // of near_groups_, of a bucket
  std::vector<std::uint64_t> near_;         // by bucket: a bit per PE
  std::vector<std::uint64_t> near_groups_;  // by bucket: a bit per word of near_ that is not 0
  std::uint64_t filled_ = 0;                // a bit per bucket that is not empty
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> far_;
  std::vector<PeId> due_;
  Cycle now_ = 0;
};

}  // namespace wse::vm
