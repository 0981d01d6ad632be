// Cycles and PEs: the two numbers by which everything in the machine is ordered.
#pragma once

#include <cstdint>

namespace wse::vm {

using Cycle = std::uint64_t;
using PeId = std::uint32_t;  // y * width + x

inline constexpr Cycle kNever = ~Cycle{0};

// Whatever a machine has begun by cycle `now` is over within so many cycles. Only states of
// strangers have times beyond it; books that reach up to such a time would take all memory.
inline constexpr Cycle kMostReach = Cycle{1} << 36;
constexpr bool is_within_reach(Cycle time, Cycle now) {
  return time <= now || time - now <= kMostReach;
}

}  // namespace wse::vm
