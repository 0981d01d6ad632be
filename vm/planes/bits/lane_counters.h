// Counters of 512 lanes, sliced: plane k has bit k of each. A step of all lanes together is a carry
// that ripples upwards as long as any lane has one: two planes on average if lanes step alike.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/bits/link_tally.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

// Counts up. The last few steps are in planes, which are added to a number per lane now and then:
// a step costs two planes on average, and a look at a lane few more.
class UpCounter {
 public:
  [[gnu::always_inline]] void add(const Lanes& lanes) {
    Lanes carry = lanes;
    for (Lanes& plane : recent_) {
      const Lanes next = plane & carry;
      plane = plane ^ carry;
      carry = next;
      if (!carry.any()) break;
    }
    const std::uint32_t late = isa::mutant(isa::Mutant::CounterLate) ? 1 : 0;
    if (++steps_ == kMostSteps + late) settle();
  }
  // Each of the lanes counts so many.
  void add(const Lanes& lanes, std::uint64_t times) {
    if (tally_ != nullptr) tally_->count(lanes, times);
    for (std::uint32_t k = 0; k < kWords; ++k) {
      std::uint64_t* const settled = settled_.data() + k * kWordBits;
      if (lanes.word(k) == ~std::uint64_t{0}) {
        for (std::uint32_t bit = 0; bit < kWordBits; ++bit) settled[bit] += times;
        continue;
      }
      for (std::uint64_t rest = lanes.word(k); rest != 0; rest &= rest - 1) {
        settled[std::countr_zero(rest)] += times;
      }
    }
  }
  // The lane counts so many.
  void add(std::uint32_t lane, std::uint64_t times) {
    settled_[lane] += times;
    if (tally_ == nullptr) return;
    Lanes one;
    one.set(lane);
    tally_->count(one, times);
  }
  std::uint64_t value(std::uint32_t lane) const {
    const std::uint32_t word = lane / kWordBits;
    const std::uint32_t bit = lane % kWordBits;
    std::uint64_t steps = 0;
#pragma GCC unroll 8
    for (std::uint32_t k = kRecent; k-- > 0;) {
      steps = steps << 1 | (recent_[k].word(word) >> bit & 1);
    }
    return settled_[lane] + steps;
  }
  // Returns what each lane has counted.
  std::array<std::uint64_t, kLanes> values() const;
  // Returns the lanes, of these, that have counted as many as the lane.
  Lanes same_as(std::uint32_t lane, const Lanes& among) const {
    Lanes same = among;
    for (const Lanes& plane : recent_) keep_same(same, plane, lane);
    for (std::uint32_t k = 0; k < kWords; ++k) {
      for (std::uint64_t rest = same.word(k); rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
        const bool differs = settled_[k * kWordBits + bit] != settled_[lane];
        same.word(k) &= ~(std::uint64_t{differs} << bit);
      }
    }
    return same;
  }
  // Before the first step: the tally, which must live longer, is told what is counted.
  void keep(LinkTally& tally) { tally_ = &tally; }
  // Tells the tally, if there is one, all that is counted.
  void tell() {
    if (tally_ != nullptr && steps_ > 0) settle_told();
  }
  [[gnu::always_inline]] void prefetch_lane(std::uint32_t lane) const { prefetch(&settled_[lane]); }

 private:
  static constexpr std::uint32_t kRecent = 8;
  static constexpr std::uint32_t kMostSteps = (1u << kRecent) - 1;

  // The steps in the planes, of the lanes of a word.
  [[gnu::always_inline]] std::array<std::uint64_t, kWordBits> recent(std::uint32_t word) const {
    std::uint64_t planes[kRecent];
    for (std::uint32_t k = 0; k < kRecent; ++k) planes[k] = recent_[k].word(word);
    std::array<std::uint64_t, kWordBits> all;
    for (std::uint64_t bit = 0; bit < kWordBits; ++bit) {
      std::uint64_t steps = 0;
      for (std::uint32_t k = 0; k < kRecent; ++k) steps |= (planes[k] >> bit & 1) << k;
      all[bit] = steps;
    }
    return all;
  }
  [[gnu::always_inline]] void settle() {
    if (tally_ != nullptr) [[unlikely]]
      return settle_told();
    for (std::uint32_t word = 0; word < kWords; ++word) {
      const std::array<std::uint64_t, kWordBits> steps = recent(word);
      std::uint64_t* const settled = settled_.data() + word * kWordBits;
      for (std::uint32_t bit = 0; bit < kWordBits; ++bit) settled[bit] += steps[bit];
    }
    recent_ = {};
    steps_ = 0;
  }
  [[gnu::noinline]] void settle_told();
  // The planes that steps can have reached.
  std::span<const Lanes> reached() const {
    return std::span<const Lanes>(recent_).first(
        std::min<std::size_t>(kRecent, std::bit_width(steps_)));
  }

  std::array<Lanes, kRecent> recent_;
  std::uint32_t steps_ = 0;  // in recent_
  LinkTally* tally_ = nullptr;
  std::array<std::uint64_t, kLanes> settled_ = {};
};

// Counts down from what each lane begins with, to its last step.
class DownCounter {
 public:
  // Steps of what has no bound: more than the cycles of any run that has a limit (10^18), so that
  // no run sees the last of them.
  static constexpr std::uint32_t kMostBits = 60;
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << kMostBits;

  // The lane, or all of some, takes so many steps, 1..kEndless.
  template <class Which>
  void begin(const Which& lanes, std::uint64_t steps) {
    const std::uint64_t left = steps - 1;
    while (left >> planes_.size() != 0) planes_.emplace_back();
    for (std::uint32_t k = 0; k < planes_.size(); ++k) planes_[k].put(lanes, (left >> k & 1) != 0);
  }
  // The lanes take a step; those for which it was the last.
  [[gnu::always_inline]] Lanes step(const Lanes& lanes) {
    Lanes borrow = lanes;
    for (Lanes& plane : planes_) {
      const Lanes next = without(borrow, plane);
      plane = plane ^ borrow;
      borrow = next;
      if (!borrow.any()) break;
    }
    return borrow;
  }
  // Each of the lanes takes so many, and has more to take.
  void step(const Lanes& lanes, std::uint64_t times) {
    Lanes borrow;
    for (std::uint32_t k = 0; k < planes_.size(); ++k) {
      const Lanes bit = (times >> k & 1) != 0 ? lanes : Lanes{};
      const Lanes difference = planes_[k] ^ bit;
      const Lanes next = without(bit, planes_[k]) | without(borrow, difference);
      planes_[k] = difference ^ borrow;
      borrow = next;
    }
  }
  // Returns the fewest steps that one of the lanes, which have some, will take.
  std::uint64_t least(const Lanes& lanes) const {
    Lanes fewest = lanes;
    std::uint64_t left = 0;
    for (std::size_t k = planes_.size(); k-- > 0;) {
      const Lanes fewer = without(fewest, planes_[k]);
      fewer.any() ? void(fewest = fewer) : void(left |= std::uint64_t{1} << k);
    }
    return left + 1;
  }
  // Lanes, of those that have some, whose next step is the last one.
  Lanes at_last() const {
    Lanes more;
    for (const Lanes& plane : planes_) more |= plane;
    return inverse(more);
  }
  // Steps that the lane, which has not taken its last one, will take.
  std::uint64_t left(std::uint32_t lane) const {
    std::uint64_t left = 0;
    for (std::uint32_t k = 0; k < planes_.size(); ++k) {
      left |= std::uint64_t{planes_[k].has(lane)} << k;
    }
    return left + 1;
  }

 private:
  std::vector<Lanes> planes_;
};

// Counts down again and again, each lane in rounds of its own length.
class RoundCounter {
 public:
  // The rounds of the lane, or of all of some, take so many steps, 1 or more.
  template <class Which>
  void begin(const Which& lanes, std::uint32_t steps) {
    const std::uint32_t left = steps - 1;
    while (std::uint64_t{left} >> planes_.size() != 0) planes_.emplace_back();
    for (std::uint32_t k = 0; k < planes_.size(); ++k) {
      planes_[k].left.put(lanes, (left >> k & 1) != 0);
      planes_[k].whole.put(lanes, (left >> k & 1) != 0);
    }
  }
  // The lane, which has just begun, has taken so many steps of its round, fewer than all.
  void skip(std::uint32_t lane, std::uint32_t steps) {
    std::uint32_t left = 0;
    for (std::uint32_t k = 0; k < planes_.size(); ++k) {
      left |= std::uint32_t{planes_[k].whole.has(lane)} << k;
    }
    left -= steps;
    for (std::uint32_t k = 0; k < planes_.size(); ++k) {
      planes_[k].left.put(lane, (left >> k & 1) != 0);
    }
  }
  // The lanes take a step; those for which it was the last of a round.
  [[gnu::always_inline]] Lanes step(const Lanes& lanes) {
    Lanes borrow = lanes;
    for (Plane& plane : planes_) {
      const Lanes next = without(borrow, plane.left);
      plane.left = plane.left ^ borrow;
      borrow = next;
      if (!borrow.any()) return borrow;
    }
    for (Plane& plane : planes_) plane.left = without(plane.left, borrow) | (plane.whole & borrow);
    return borrow;
  }

 private:
  struct Plane {
    Lanes left;   // less 1
    Lanes whole;  // what a round begins with
  };
  std::vector<Plane> planes_;
};

}  // namespace wse::vm::wafer
