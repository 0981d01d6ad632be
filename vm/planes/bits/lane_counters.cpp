// Steps in planes become bytes first where all lanes are looked at.
#include "vm/planes/bits/lane_counters.h"

namespace wse::vm::wafer {

std::array<std::uint64_t, kLanes> UpCounter::values() const {
  std::array<std::uint64_t, kLanes> values = settled_;
  const LaneBytes steps = lane_bytes(reached());
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) values[lane] += steps[lane];
  return values;
}

void UpCounter::settle_told() {
  const std::span<const Lanes> counted = reached();
  steps_ = 0;
  if (!std::ranges::any_of(counted, &Lanes::any)) return;
  const LaneBytes steps = lane_bytes(counted);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) settled_[lane] += steps[lane];
  tally_->count(steps);
  recent_ = {};
}

}  // namespace wse::vm::wafer
