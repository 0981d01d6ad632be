// Where the cycle counters of PEs start if they are not synchronised: anywhere in their 48 bits.
//
// The same for the same seed and PE on every host.
#pragma once

#include <cstdint>

#include "vm/support/split_mix.h"
#include "vm/support/time.h"

namespace wse::vm {

inline constexpr int kTscBits = 48;

// Returns the upper bits of number `pe` of SplitMix64 from `seed`.
constexpr std::uint64_t tsc_skew(std::uint64_t seed, PeId pe) {
  return split_mix(seed + std::uint64_t{pe} * kSplitMixStep) >> (64 - kTscBits);
}

}  // namespace wse::vm
