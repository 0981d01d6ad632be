// Numbers without a pattern by SplitMix64 (Steele, Lea and Flood, 2014; public domain).
#include "vm/pe/noops.h"

namespace wse::vm {
namespace {

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kWhole = 1'000'000;  // the unit of noop_share

std::uint64_t mixed(std::uint64_t z) {
  z += kStep;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Cycle noops(const isa::Profile& profile, PeId pe, Cycle start, std::uint64_t issues) {
  if (profile.noop_share == 0) return 0;
  std::uint64_t state = mixed(mixed(mixed(profile.noop_seed) ^ pe) ^ start);
  Cycle inserted = 0;
  while (issues > 0) {
    state += kStep;
    const std::uint64_t drawn = (mixed(state) >> 32) * kWhole >> 32;  // below kWhole
    if (drawn < profile.noop_share) {
      ++inserted;
    } else {
      --issues;
    }
  }
  return inserted;
}

}  // namespace wse::vm
