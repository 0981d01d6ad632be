// No-ops drawn one by one.
#include "vm/pe/noops.h"

#include "vm/support/split_mix.h"

namespace wse::vm {
namespace {

constexpr std::uint64_t kWhole = 1'000'000;  // the unit of noop_share

}  // namespace

Cycle noops(const isa::Profile& profile, PeId pe, Cycle start, std::uint64_t issues) {
  if (profile.noop_share == 0) return 0;
  std::uint64_t state = split_mix(split_mix(split_mix(profile.noop_seed) ^ pe) ^ start);
  Cycle inserted = 0;
  while (issues > 0) {
    state += kSplitMixStep;
    const std::uint64_t drawn = (split_mix(state) >> 32) * kWhole >> 32;  // below kWhole
    if (drawn < profile.noop_share) {
      ++inserted;
    } else {
      --issues;
    }
  }
  return inserted;
}

}  // namespace wse::vm
