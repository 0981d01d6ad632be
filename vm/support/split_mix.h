// Numbers without a pattern, the same on every host: the output function of SplitMix64 (Steele, Lea
// and Flood, 2014; public domain).
#pragma once

#include <cstdint>

namespace wse::vm {

inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

// Returns the number that the generator gives after state `z`.
constexpr std::uint64_t split_mix(std::uint64_t z) {
  z += kSplitMixStep;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace wse::vm
