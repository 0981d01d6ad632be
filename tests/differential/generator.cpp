// The machine and the text of a seed.
#include "tests/differential/generator.h"

#include <algorithm>

#include "tests/differential/border_writer.h"
#include "tests/differential/mesh_writer.h"
#include "tests/differential/mixed.h"
#include "tests/differential/tiles.h"
#include "tests/support/any_machine.h"
#include "tests/support/hypercube_text.h"

namespace wse::differential {
namespace {

// So few that a loop without time soon traps, and more than any other stretch has.
constexpr std::uint32_t kStretchInstructions = 5000;

// Numbers that a machine could have beside those of a profile.
struct Variation {
  std::uint32_t isa::Profile::* member;
  std::uint32_t least;
  std::uint32_t most;
};
constexpr Variation kVariations[] = {
    {&isa::Profile::hop_latency_cycles, 1, 3},
    {&isa::Profile::link_interval_cycles, 1, 3},
    {&isa::Profile::vector_start_cycles, 0, 4},
    {&isa::Profile::vector_drain_cycles, 0, 5},
    {&isa::Profile::task_start_cycles, 0, 15},
    {&isa::Profile::descriptor_load_cycles, 0, 10},
    {&isa::Profile::descriptor_fetch_cycles, 0, 10},
    {&isa::Profile::simple_cycles, 0, 2},
    {&isa::Profile::branch_cycles, 0, 3},
    {&isa::Profile::load_cycles, 0, 3},
    {&isa::Profile::branch_taken_cycles, 1, 4},
    {&isa::Profile::tsc_read_cycles, 0, 15},
    {&isa::Profile::divide_cycles, 3, 50},
    {&isa::Profile::simd_16bit, 1, 8},
    {&isa::Profile::simd_32bit, 1, 4},
    {&isa::Profile::simd_extra_16bit, 1, 8},
    {&isa::Profile::simd_extra_32bit, 1, 4},
    {&isa::Profile::simd_other, 1, 3},
    {&isa::Profile::read_port_bytes, 2, 32},
    {&isa::Profile::write_port_bytes, 2, 16},
    {&isa::Profile::stride_one_bank_limit, 1, 3},
    {&isa::Profile::stride_odd_limit, 1, 4},
    {&isa::Profile::bank_conflict_cycles, 1, 4},
    {&isa::Profile::bank_conflict_banks, 1, 8},
    {&isa::Profile::bank_conflict_width, 0, 1},
    {&isa::Profile::stride_line_bytes, 0, 32},
    {&isa::Profile::map_gap_cycles, 0, 5},
    {&isa::Profile::float_latency_cycles, 0, 2},
    {&isa::Profile::vector_overlap, 0, 1},
    {&isa::Profile::vector_latency_cycles, 0, 6},
};

// One of the profiles, at times with another order, another issue, other depths or another latency.
isa::Profile machine(test_support::Random& random, std::string_view name) {
  static constexpr std::string_view kNames[] = {"model", "model", "wse2", "wse2", "wse3"};
  const std::string_view any = kNames[random.below(std::size(kNames))];
  isa::Profile profile = *isa::find_profile(name.empty() ? any : name);
  const isa::Profile model = *isa::find_profile("model");
  profile.switch_position_sides = model.switch_position_sides;
  if (random.one_in(3)) {
    profile.arbitration = static_cast<std::uint32_t>(isa::Arbitration::Rotate);
  }
  if (random.one_in(3)) profile.issue = random.below(2);
  if (random.one_in(4)) profile.ramp_latency_cycles = 1 + random.below(3);
  if (random.one_in(4)) {
    for (const Variation& vary : kVariations) {
      if (random.one_in(2)) continue;
      profile.*vary.member = vary.least + random.below(vary.most - vary.least + 1);
    }
  }
  profile.divide_cycles = std::max(profile.divide_cycles, profile.simple_cycles);
  if (random.one_in(8)) profile.banks = 4u << random.below(3);
  profile.stretch_instructions = kStretchInstructions;
  profile.router_depth = 1 + (random.one_in(4) ? random.below(3) : 1);
  profile.up_ramp_depth = profile.ramp_latency_cycles + 2 + random.below(2);
  profile.down_ramp_depth = profile.ramp_latency_cycles + 1 + random.below(3);
  return profile;
}

// What takes memory for every queue, and what a loop without time takes.
constexpr test_support::Cap kCaps[] = {
    {&isa::Profile::ramp_latency_cycles, 1000},
    {&isa::Profile::router_depth, 1000},
    {&isa::Profile::up_ramp_depth, 1002},
    {&isa::Profile::down_ramp_depth, 1001},
    {&isa::Profile::stretch_instructions, kStretchInstructions},
};

// What decides whether a program can be assembled and loaded.
constexpr std::uint32_t isa::Profile::* kResources[] = {
    &isa::Profile::memory_bytes,     &isa::Profile::colours,
    &isa::Profile::switch_positions, &isa::Profile::switch_position_sides,
    &isa::Profile::input_queues,     &isa::Profile::output_queues,
    &isa::Profile::switch_colours,   &isa::Profile::queue_colours,
    &isa::Profile::fabric_inputs,    &isa::Profile::first_local_id,
};

// At times longer links, or links that carry less.
void choose_links(isa::Profile& profile, test_support::Random& random) {
  if (random.one_in(5)) profile.hop_latency_cycles = 1 + random.below(4);
  if (random.one_in(5)) profile.link_interval_cycles = 1 + random.below(4);
}

// A machine in six is hot. Numbers of its own: the programs are the same as without.
void choose_noops(isa::Profile& profile, std::uint32_t seed) {
  test_support::Random random(seed ^ 0x5eed);
  if (!random.one_in(6)) return;
  profile.noop_share = 1 + random.below(600'000);
  profile.noop_seed = random.below(100);
}

// A machine with nothing that the wafer leaves to the stepper.
isa::Profile plain_machine(test_support::Random& random) {
  isa::Profile profile = machine(random, "");
  profile.link_interval_cycles = 1;
  profile.bank_conflict_cycles = std::min(profile.bank_conflict_cycles, 2u);
  if (random.one_in(3)) {
    profile.ramp_latency_cycles = 1 + random.below(8);
    profile.up_ramp_depth = profile.ramp_latency_cycles + 2 + random.below(2);
    profile.down_ramp_depth = profile.ramp_latency_cycles + 1 + random.below(3);
  }
  if (random.one_in(3)) profile.hop_latency_cycles = 1 + random.below(4);
  return profile;
}

// A program in eight starts late. Numbers of its own: the programs are the same as without.
std::optional<vm::Jitter> choose_jitter(std::uint32_t seed) {
  test_support::Random random(seed ^ 0x11a7e);
  if (!random.one_in(8)) return std::nullopt;
  return vm::Jitter{.seed = random.word(), .cycles = 1 + random.below(40)};
}

// The mesh is any one, or has four rows.
Generated generate(std::uint32_t seed, std::string_view profile, bool tall) {
  test_support::Random random(seed);
  Generated made;
  made.profile = machine(random, profile);
  made.text = MeshWriter(random, made.profile, {.tall = tall}).text();
  made.strips = 1 + seed % 3;
  choose_links(made.profile, random);
  choose_noops(made.profile, seed);
  made.jitter = choose_jitter(seed);
  return made;
}

}  // namespace

Generated generate(std::uint32_t seed, std::string_view profile) {
  return generate(seed, profile, false);
}

Generated generate_tall(std::uint32_t seed) { return generate(seed, "", true); }

Generated generate_plain(std::uint32_t seed) {
  test_support::Random random(seed);
  Generated made;
  made.profile = plain_machine(random);
  const MeshKind kind{.tall = random.one_in(3),
                      .plain = true,
                      .queues = !random.one_in(4),
                      .apart = random.one_in(4)};
  made.text = MeshWriter(random, made.profile, kind).text();
  made.stops_too = true;
  made.jitter = choose_jitter(seed);
  return made;
}

Generated generate_alike(std::uint32_t seed, std::uint32_t most) {
  test_support::Random random(seed);
  Generated made;
  made.profile = plain_machine(random);
  const MeshKind kind{.tall = random.one_in(3), .plain = true, .queues = !random.one_in(3)};
  made.text = in_tiles(MeshWriter(random, made.profile, kind).text(), most);
  made.stops_too = true;
  return made;
}

Generated generate_mixed(std::uint32_t seed) {
  test_support::Random random(seed);
  Generated made;
  made.profile = plain_machine(random);
  made.text = mixed_text(random);
  made.stops_too = true;
  made.jitter = choose_jitter(seed);
  return made;
}

Generated generate_borders(std::uint32_t seed) {
  test_support::Random random(seed);
  Generated made;
  made.profile = plain_machine(random);
  made.text = BorderWriter(random).text();
  made.at_borders = true;
  made.jitter = choose_jitter(seed);
  made.stops_too = true;
  return made;
}

Generated generate_any_machine(std::uint32_t seed) {
  constexpr std::uint32_t kShare = 10;  // one number in so many is another
  Generated made = generate(seed);
  test_support::Random random(~seed);
  const isa::Profile known = made.profile;
  made.profile = any_machine(known, kShare, kCaps, random);
  made.may_be_refused = random.one_in(4);
  for (const auto member : kResources) {
    if (!made.may_be_refused) made.profile.*member = known.*member;
  }
  return made;
}

Generated generate_hypercube(std::uint32_t seed) {
  constexpr std::uint32_t kMostDimensions = 6;
  constexpr std::uint32_t kMostWords = 20;
  test_support::Random random(seed);
  Generated made;
  made.profile = machine(random, "");
  choose_links(made.profile, random);
  test_support::HypercubeText cube(1 + random.below(kMostDimensions));
  const std::uint32_t pattern = random.below(cube.nodes());
  const bool exchange = random.one_in(3);
  for (std::uint32_t k = 0; k < 2 * cube.nodes(); ++k) {
    const std::uint32_t node = random.below(cube.nodes());
    const std::uint32_t target = exchange ? node ^ pattern : random.below(cube.nodes());
    cube.add_message(node, target, 1 + random.below(kMostWords));  // those for which there is room
  }
  made.text = cube.text();
  return made;
}

}  // namespace wse::differential
