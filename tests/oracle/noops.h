// No-ops of a hot PE, drawn a second time from the definition in isa/MACHINE.md.
// Must never include anything of vm/.
#pragma once

#include <cstdint>

#include "isa/machine/profile.h"
#include "tests/oracle/outcome.h"

namespace wse::oracle {

// The k-th number of SplitMix64 from a seed, k = 0, 1, ...
inline std::uint64_t split_mix(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// What a hot PE inserts before an instruction that starts in cycle `now` and issues so often:
// before each issue no-ops, until a number is not below the share.
inline Cycle noops(const isa::Profile& profile, std::uint32_t pe, Cycle now, std::uint64_t issues) {
  if (profile.noop_share == 0) return 0;
  const std::uint64_t of_pe = split_mix(split_mix(profile.noop_seed, 0) ^ pe, 0);
  const std::uint64_t seed = split_mix(of_pe ^ now, 0);
  std::uint64_t drawn = 0;
  Cycle inserted = 0;
  for (std::uint64_t issue = 0; issue < issues; ++issue) {
    while ((split_mix(seed, ++drawn) >> 32) * 1'000'000 >> 32 < profile.noop_share) ++inserted;
  }
  return inserted;
}

}  // namespace wse::oracle
