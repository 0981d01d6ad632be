// Where the cycle counters of PEs start if they are not synchronised: anywhere in their 48 bits.
//
// The same for the same seed and PE on every host.
#pragma once

#include <cstdint>

#include "vm/time.h"

namespace wse::vm {

inline constexpr int kTscBits = 48;

// The upper bits of SplitMix64 (Steele, Lea, Flood 2014): its state after `pe` + 1 steps from
// `seed`.
constexpr std::uint64_t tsc_skew(std::uint64_t seed, PeId pe) {
  std::uint64_t z = seed + (std::uint64_t{pe} + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) >> (64 - kTscBits);
}

}  // namespace wse::vm
