// An agenda: which PEs must be looked at in which cycle, so that idle ones cost nothing.
//
// Waking a PE for nothing is harmless; forgetting to wake one is an error that shows as a false
// deadlock. Within one cycle each PE appears once, in ascending order: neighbours in memory are
// visited one after the other. The order cannot matter, since a cycle depends only on the state at
// its start.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vm/support/far_cycles.h"
#include "vm/support/pe_range.h"
#include "vm/support/time.h"

namespace wse::vm {

class Agenda {
 public:
  explicit Agenda(const PeRange& pes)
      : pes_(pes),
        words_(words_for(pes.size())),
        groups_(words_for(words_)),
        near_(kNear * (groups_ + words_)) {}

  // One cycle of it, until another is taken: who adds many PEs to it finds it once.
  class Due {
   public:
    Due() = default;
    Cycle cycle() const { return cycle_; }
    inline void add(PeId pe) const;

   private:
    friend class Agenda;
    Due(Agenda& agenda, Cycle cycle) : agenda_(&agenda), cycle_(cycle) {}

    Agenda* agenda_ = nullptr;
    Cycle cycle_ = 0;
    PeId first_ = 0;                   // of the strip
    std::uint64_t* words_ = nullptr;   // of its bucket, a bit per PE; nullptr if it has none
    std::uint64_t* groups_ = nullptr;  // a bit per word that is not 0
  };

  // The cycle must not lie before the one taken last, and may be that one itself only before it is
  // taken.
  Due due(Cycle when) {
    Due due(*this, when);
    if (when >= now_ + kNear) return due;
    due.first_ = pes_.first;
    due.groups_ = near_.data() + when % kNear * (groups_ + words_);
    due.words_ = due.groups_ + groups_;
    return due;
  }
  // Asks for `pe` in cycle `when`.
  void add(PeId pe, Cycle when) { due(when).add(pe); }
  // The PE need not be looked at in cycle `when`, which is taken next.
  void drop(PeId pe, Cycle when) {
    const Due all = due(when);
    if (all.words_ == nullptr) return;
    const std::size_t index = pe - pes_.first;
    all.words_[index / kBits] &= ~(std::uint64_t{1} << index % kBits);
  }

  // The first cycle in which somebody must be looked at; kNever if there is none.
  Cycle next() const {
    const Cycle far = far_.next();
    if (filled_ == 0) return far;
    const int bucket = static_cast<int>(now_ % kNear);
    const auto ahead = static_cast<Cycle>(std::countr_zero(std::rotr(filled_, bucket)));
    return std::min(far, now_ + ahead);
  }

  // Calls visit(pe, cycle) for all PEs that must be looked at.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Cycle when = now_; when < now_ + kNear; ++when) {
      if ((filled_ >> when % kNear & 1) == 0) continue;
      const std::uint64_t* const words = near_.data() + when % kNear * (groups_ + words_) + groups_;
      for (std::size_t word = 0; word < words_; ++word) {
        for (std::uint64_t rest = words[word]; rest != 0; rest &= rest - 1) {
          const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
          visit(pes_.first + static_cast<PeId>(word * kBits + bit), when);
        }
      }
    }
    far_.for_each(visit);
  }

  // Nobody must be looked at.
  void clear() {
    std::ranges::fill(near_, 0u);
    filled_ = 0;
    far_ = {};
  }

  // From now on only PEs for which has(pe) holds are ever taken: the others stand still.
  template <class Has>
  void keep_to(Has has) {
    moving_.assign(words_, 0);
    for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
      const std::size_t index = pes_.index(pe);
      if (has(pe)) moving_[index / kBits] |= std::uint64_t{1} << index % kBits;
    }
  }

  // The last cycle taken that had PEs; 0 if none had.
  Cycle last() const { return last_; }
  // Of a machine that takes up what another one has done.
  void set_last(Cycle last) { last_ = last; }

  // The PEs of cycle `when`, each once. No earlier cycle may have entries left. The result is valid
  // until the next call.
  std::span<const PeId> take(Cycle when) {
    now_ = when;
    far_.hand_over(when, [this](PeId pe, Cycle cycle) { add(pe, cycle); });
    const std::uint64_t filled = std::uint64_t{1} << when % kNear;
    if ((filled_ & filled) == 0) return {};
    filled_ &= ~filled;
    const Due all = due(when);
    std::size_t count = 0;
    for (std::size_t group = 0; group < groups_; ++group) {
      empty(all.groups_[group], [&](std::size_t bit) {
        const std::size_t word = group * kBits + bit;
        if (!moving_.empty()) all.words_[word] &= moving_[word];
        const auto first = pes_.first + static_cast<PeId>(word * kBits);
        if (taken_.size() < count + kBits) taken_.resize(2 * count + kBits);
        PeId* end = taken_.data() + count;
        empty(all.words_[word],
              [&](std::size_t rest) { *end++ = first + static_cast<PeId>(rest); });
        count = static_cast<std::size_t>(end - taken_.data());
      });
    }
    if (count > 0) last_ = when;
    return {taken_.data(), count};
  }

 private:
  static constexpr std::size_t kBits = 64;
  // Cycles ahead that have a bucket of their own.
  static constexpr Cycle kNear = FarCycles<PeId>::kWindow;

  static constexpr std::size_t words_for(std::size_t bits) { return (bits + kBits - 1) / kBits; }

  // Clears the mask and calls visit(k) for each bit k that it had.
  template <class Visit>
  static void empty(std::uint64_t& mask, Visit visit) {
    for (std::uint64_t rest = std::exchange(mask, 0); rest != 0; rest &= rest - 1) {
      visit(static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }

  [[gnu::noinline]] void add_far(PeId pe, Cycle when) { far_.add(pe, when); }

  PeRange pes_;
  std::size_t words_;                // of a bucket
  std::size_t groups_;               // of a bucket
  LargeVector<std::uint64_t> near_;  // by bucket: its groups, its words
  std::uint64_t filled_ = 0;         // a bit per bucket that is not empty
  FarCycles<PeId> far_;
  std::vector<std::uint64_t> moving_;  // a bit per PE that does not stand still; empty: all move
  std::vector<PeId> taken_;            // room for the PEs of a cycle
  Cycle now_ = 0;
  Cycle last_ = 0;
};

// Most are there already: who was visited, and who got a wavelet, is looked at again.
inline void Agenda::Due::add(PeId pe) const {
  if (words_ == nullptr) return agenda_->add_far(pe, cycle_);
  const std::size_t index = pe - first_;
  const std::uint64_t bit = std::uint64_t{1} << index % kBits;
  std::uint64_t& word = words_[index / kBits];
  if ((word & bit) != 0) return;
  if (word == 0) {
    groups_[index / kBits / kBits] |= std::uint64_t{1} << index / kBits % kBits;
    agenda_->filled_ |= std::uint64_t{1} << cycle_ % kNear;
  }
  word |= bit;
}

}  // namespace wse::vm
