// The machine and the text of a seed.
#include "tests/differential/generator.h"

#include "tests/differential/mesh_writer.h"

namespace wse::differential {
namespace {

// `model` or `wse2`, at times with another order, another issue, other depths or another latency.
isa::Profile machine(test_support::Random& random) {
  isa::Profile profile = *isa::find_profile(random.one_in(2) ? "model" : "wse2");
  const isa::Profile model = *isa::find_profile("model");
  profile.switch_position_sides = model.switch_position_sides;
  if (random.one_in(3)) {
    profile.arbitration = static_cast<std::uint32_t>(isa::Arbitration::Rotate);
  }
  if (random.one_in(3)) profile.issue = random.below(2);
  if (random.one_in(4)) profile.ramp_latency_cycles = 1 + random.below(3);
  profile.router_depth = 2 + (random.one_in(4) ? random.below(2) : 0);
  profile.up_ramp_depth = profile.ramp_latency_cycles + 2 + random.below(2);
  profile.down_ramp_depth = profile.ramp_latency_cycles + 1 + random.below(3);
  return profile;
}

}  // namespace

Generated generate(std::uint32_t seed) {
  test_support::Random random(seed);
  Generated made;
  made.profile = machine(random);
  made.text = MeshWriter(random).text();
  return made;
}

}  // namespace wse::differential
