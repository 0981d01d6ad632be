// The work of each cycle: near cycles have a list each.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vm/support/far_cycles.h"
#include "vm/support/time.h"

namespace wse::vm::wafer {

class DueList {
 public:
  // In cycle `when`, which must not lie before the one taken last.
  void add(std::uint32_t what, Cycle when) {
    if (when - now_ >= kNear) return far_.add(what, when);
    near_[when % kNear].push_back(what);
    filled_ |= std::uint64_t{1} << when % kNear;
  }
  // The first cycle that has something; kNever if none has.
  Cycle next() const {
    const Cycle far = far_.next();
    if (filled_ == 0) return far;
    const auto ahead = std::countr_zero(std::rotr(filled_, static_cast<int>(now_ % kNear)));
    return std::min(far, now_ + static_cast<Cycle>(ahead));
  }
  // All of cycle `now`; no earlier one may have anything left. They stay until the next call.
  std::span<const std::uint32_t> take(Cycle now) {
    now_ = now;
    far_.hand_over(now, [this](std::uint32_t what, Cycle when) { add(what, when); });
    taken_.clear();
    std::swap(taken_, near_[now % kNear]);
    filled_ &= ~(std::uint64_t{1} << now % kNear);
    return taken_;
  }

 private:
  static constexpr Cycle kNear = FarCycles<std::uint32_t>::kWindow;

  std::vector<std::uint32_t> near_[kNear];
  std::uint64_t filled_ = 0;  // a bit for each list that is not empty
  FarCycles<std::uint32_t> far_;
  std::vector<std::uint32_t> taken_;
  Cycle now_ = 0;
};

}  // namespace wse::vm::wafer
