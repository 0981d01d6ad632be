// Counters of 512 lanes, sliced: plane k has bit k of each. A step of all lanes together is a carry
// that ripples upwards as long as any lane has one: two planes on average if lanes step alike.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vm/wafer/lanes.h"

namespace wse::vm::wafer {

// Counts up. Lanes out of step with each other would carry through all planes in every step, so
// the last few steps have planes of their own, which are added to the others now and then; what
// overflows those is counted lane by lane, once in 4096 steps.
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
    if (++steps_ == kMostSteps) settle();
  }
  // Each of the lanes counts so many.
  void add(const Lanes& lanes, std::uint64_t times) {
    const auto bit = [&](std::uint32_t k) { return (times >> k & 1) != 0 ? lanes : Lanes{}; };
    add_planes(bit);
    const auto high = static_cast<std::uint32_t>(times >> kPlanes);
    if (high == 0) return;
    if (high_.empty()) high_.resize(kLanes);
    for_each_lane(lanes, [&](std::uint32_t lane) { high_[lane] += high; });
  }
  std::uint64_t value(std::uint32_t lane) const {
    std::uint64_t value = high_.empty() ? 0 : std::uint64_t{high_[lane]} << kPlanes;
    for (std::uint32_t k = 0; k < kPlanes; ++k) {
      value |= std::uint64_t{planes_[k].has(lane)} << k;
    }
    for (std::uint32_t k = 0; k < kRecent; ++k) {
      value += std::uint64_t{recent_[k].has(lane)} << k;
    }
    return value;
  }

 private:
  static constexpr std::uint32_t kRecent = 4;
  static constexpr std::uint32_t kMostSteps = (1u << kRecent) - 1;
  static constexpr std::uint32_t kPlanes = 12;

  [[gnu::noinline]] void settle() {
    add_planes([this](std::uint32_t k) { return k < kRecent ? recent_[k] : Lanes{}; });
    recent_ = {};
    steps_ = 0;
  }
  // Adds a number to each lane, whose bit k is in plane(k).
  template <class Plane>
  void add_planes(Plane plane) {
    Lanes carry;
    for (std::uint32_t k = 0; k < kPlanes; ++k) {
      const Lanes bit = plane(k);
      const Lanes sum = planes_[k] ^ bit;
      const Lanes next = (planes_[k] & bit) | (sum & carry);
      planes_[k] = sum ^ carry;
      carry = next;
    }
    if (!carry.any()) return;
    if (high_.empty()) high_.resize(kLanes);
    for_each_lane(carry, [this](std::uint32_t lane) { ++high_[lane]; });
  }

  std::array<Lanes, kRecent> recent_;
  std::uint32_t steps_ = 0;  // in recent_
  std::array<Lanes, kPlanes> planes_;
  std::vector<std::uint32_t> high_;
};

// Counts down from what each lane begins with, to its last step.
class DownCounter {
 public:
  static constexpr std::uint32_t kMostBits = 40;
  static constexpr std::uint64_t kEndless = std::uint64_t{1}
                                            << kMostBits;  // steps: nobody lives to see them

  // The lane takes so many steps, 1..kEndless.
  void begin(std::uint32_t lane, std::uint64_t steps) {
    const std::uint64_t left = steps - 1;
    while (left >> planes_.size() != 0) planes_.emplace_back();
    for (std::uint32_t k = 0; k < planes_.size(); ++k) planes_[k].put(lane, (left >> k & 1) != 0);
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
  // Of the lanes, which have some, the fewest steps that one will take.
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
  // The lane's rounds take so many steps, 1 or more.
  void begin(std::uint32_t lane, std::uint32_t steps) {
    const std::uint32_t left = steps - 1;
    while (std::uint64_t{left} >> planes_.size() != 0) planes_.emplace_back();
    for (std::uint32_t k = 0; k < planes_.size(); ++k) {
      planes_[k].left.put(lane, (left >> k & 1) != 0);
      planes_[k].whole.put(lane, (left >> k & 1) != 0);
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
