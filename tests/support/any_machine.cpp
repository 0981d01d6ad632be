// Draws a number for every parameter that is to be another, then mends what does not go together.
#include "tests/support/any_machine.h"

#include <algorithm>
#include <bit>

namespace wse::test_support {
namespace {

using isa::ParameterInfo;
using isa::Profile;

// Where fields of 8 and 16 bits end.
constexpr std::uint32_t kEnds[] = {0xff, 0x100, 0x101, 0xffff, 0x10000, 0x10001};

std::uint32_t most_of(const ParameterInfo& parameter, std::span<const Cap> caps) {
  const auto cap = std::ranges::find(caps, parameter.member, &Cap::member);
  return cap == caps.end() ? parameter.most : std::min(cap->most, parameter.most);
}

std::uint32_t any_value(std::uint32_t least, std::uint32_t most, Random& random) {
  switch (random.below(8)) {
    case 0: return least;
    case 1: return most;
    case 2: return std::clamp(kEnds[random.below(std::size(kEnds))], least, most);
    default: break;
  }
  const auto bits = static_cast<std::uint32_t>(std::bit_width(most - least));
  const std::uint64_t below = std::uint64_t{1} << random.below(bits + 1);
  return least +
         static_cast<std::uint32_t>(std::min<std::uint64_t>(random.word() % below, most - least));
}

// Ramps for full rate, and no slot that is held for longer than the instruction takes.
void mend(Profile& profile) {
  const std::uint32_t latency = profile.ramp_latency_cycles;
  profile.up_ramp_depth = std::max(profile.up_ramp_depth, latency + 2);
  profile.down_ramp_depth = std::max(profile.down_ramp_depth, latency + 1);
  profile.divide_cycles = std::max(profile.divide_cycles, profile.simple_cycles);
}

}  // namespace

Profile any_machine(const Profile& base, std::uint32_t share, std::span<const Cap> caps,
                    Random& random) {
  Profile profile = base;
  for (const ParameterInfo& parameter : isa::kParameters) {
    if (!random.one_in(share)) continue;
    profile.*parameter.member = any_value(parameter.least, most_of(parameter, caps), random);
  }
  mend(profile);
  return profile;
}

void break_bounds(Profile& profile, Random& random) {
  const ParameterInfo& parameter = isa::kParameters[random.below(std::size(isa::kParameters))];
  const bool low = parameter.least > 0 && random.one_in(2);
  profile.*parameter.member =
      low ? random.below(parameter.least)
          : parameter.most + 1 + random.below(random.one_in(2) ? 1 : ~parameter.most);
}

}  // namespace wse::test_support
