// The profiles: their numbers, their sources, what check() refuses, and what instructions cost.
// Expected numbers are written by hand here, never read from the table that is tested.
#include "isa/profile.h"

#include <gtest/gtest.h>

#include <set>

namespace wse::isa {
namespace {

std::uint32_t value_of(const Profile& profile, std::string_view name) {
  for (const ParameterInfo& parameter : profile_parameters()) {
    if (parameter.name == name) return profile.*parameter.member;
  }
  ADD_FAILURE() << "no parameter " << name;
  return 0;
}

struct Expected {
  std::string_view name;
  std::uint32_t wse2;
  std::uint32_t model;
};

constexpr Expected kExpected[] = {
    {"zero", 0, 0},
    {"memory_bytes", 49152, 49152},
    {"banks", 8, 8},
    {"colours", 24, 24},
    {"switch_positions", 4, 4},
    {"switch_position_sides", 1, 2},
    {"input_queues", 8, 8},
    {"output_queues", 6, 6},
    {"stretch_instructions", 1'000'000, 1'000'000},
    {"clock_mhz", 850, 850},
    {"hop_latency_cycles", 1, 1},
    {"link_interval_cycles", 1, 1},
    {"ramp_latency_cycles", 2, 2},
    {"router_depth", 2, 2},
    {"up_ramp_depth", 4, 4},
    {"down_ramp_depth", 4, 4},
    {"arbitration", 0, 0},
    {"issue", 0, 1},
    {"vector_start_cycles", 2, 0},
    {"vector_drain_cycles", 4, 0},
    {"simd_16bit", 4, 4},
    {"simd_32bit", 2, 2},
    {"simd_other", 1, 1},
    {"read_port_bytes", 16, 16},
    {"write_port_bytes", 8, 8},
    {"stride_one_bank_limit", 1, 1},
    {"stride_odd_limit", 2, 2},
    {"bank_conflict_cycles", 2, 2},
    {"task_start_cycles", 13, 0},
    {"descriptor_load_cycles", 10, 0},
    {"descriptor_dimension_cycles", 3, 0},
    {"simple_cycles", 1, 0},
    {"load_cycles", 2, 0},
    {"store_cycles", 1, 0},
    {"branch_cycles", 1, 0},
    {"branch_taken_cycles", 3, 0},
    {"call_cycles", 4, 0},
    {"tsc_read_cycles", 14, 0},
    {"divide_slots", 1, 0},
    {"divide_cycles", 50, 0},
};

TEST(IsaProfile, HasTheNumbersOfTheMachine) {
  const Profile wse2 = *find_profile("wse2");
  const Profile model = *find_profile("model");
  for (const Expected& expected : kExpected) {
    EXPECT_EQ(value_of(wse2, expected.name), expected.wse2) << expected.name;
    EXPECT_EQ(value_of(model, expected.name), expected.model) << expected.name;
  }
  EXPECT_EQ(std::size(kExpected), profile_parameters().size())
      << "a parameter is not expected here";
}

TEST(IsaProfile, EveryProfileIsFoundByNameAndPassesTheCheck) {
  EXPECT_EQ(profile_names(), (std::vector<std::string>{"wse2", "model"}));
  for (const std::string& name : profile_names()) {
    const auto profile = find_profile(name);
    ASSERT_TRUE(profile) << name;
    EXPECT_EQ(profile->name, name);
    const Status status = check(*profile);
    EXPECT_TRUE(status) << status.error();
  }
  EXPECT_FALSE(find_profile("wse"));
  EXPECT_FALSE(find_profile(""));
}

TEST(IsaProfile, EveryNumberSaysWhereItComesFrom) {
  std::set<std::string_view> names;
  for (const ParameterInfo& parameter : profile_parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " twice";
    EXPECT_TRUE(
        (std::set<std::string_view>{"doc", "meas", "paper", "ours"}.contains(parameter.mark)))
        << parameter.name;
    EXPECT_FALSE(parameter.unit.empty()) << parameter.name;
    EXPECT_FALSE(parameter.source.empty()) << parameter.name;
  }
}

// The least that a ramp needs for full rate, for any ramp latency: one less is refused.
TEST(IsaProfile, RampsNeedRoomForFullRate) {
  for (std::uint32_t latency = 0; latency <= 6; ++latency) {
    Profile profile = *find_profile("wse2");
    profile.ramp_latency_cycles = latency;
    profile.up_ramp_depth = latency + 2;
    profile.down_ramp_depth = latency + 1;
    EXPECT_TRUE(check(profile));
    profile.up_ramp_depth = latency + 1;
    EXPECT_FALSE(check(profile));
    profile.up_ramp_depth = latency + 2;
    profile.down_ramp_depth = latency;
    EXPECT_FALSE(check(profile));
  }
  Profile profile = *find_profile("wse2");
  profile.up_ramp_depth = 3;
  EXPECT_EQ(check(profile).error(),
            "profile wse2: up_ramp_depth 3 cannot carry one wavelet per cycle; it needs at least "
            "ramp_latency_cycles + 2 = 4");
}

struct Bounds {
  std::uint32_t Profile::* member;
  std::uint32_t least;
  std::uint32_t most;  // 0: any
};

constexpr Bounds kBounds[] = {
    {&Profile::banks, 2, 0},
    {&Profile::colours, 1, 24},
    {&Profile::switch_positions, 1, 4},
    {&Profile::switch_position_sides, 1, 2},
    {&Profile::input_queues, 1, 32},
    {&Profile::output_queues, 1, 32},
    {&Profile::stretch_instructions, 1, 0},
    {&Profile::clock_mhz, 1, 0},
    {&Profile::hop_latency_cycles, 1, 0},
    {&Profile::link_interval_cycles, 1, 0},
    {&Profile::router_depth, 1, 0},
    {&Profile::simd_16bit, 1, 0},
    {&Profile::simd_32bit, 1, 0},
    {&Profile::simd_other, 1, 0},
    {&Profile::read_port_bytes, 1, 0},
    {&Profile::write_port_bytes, 1, 0},
    {&Profile::stride_one_bank_limit, 1, 0},
    {&Profile::stride_odd_limit, 1, 0},
    {&Profile::bank_conflict_cycles, 1, 0},
};

bool accepts(std::uint32_t Profile::* member, std::uint32_t value) {
  Profile profile = *find_profile("model");
  profile.*member = value;
  return check(profile).has_value();
}

TEST(IsaProfile, OneBeyondABoundIsRefused) {
  for (const Bounds& bounds : kBounds) {
    SCOPED_TRACE(&bounds - kBounds);
    EXPECT_TRUE(accepts(bounds.member, bounds.least));
    EXPECT_FALSE(accepts(bounds.member, bounds.least - 1));
    if (bounds.most == 0) continue;
    EXPECT_TRUE(accepts(bounds.member, bounds.most));
    EXPECT_FALSE(accepts(bounds.member, bounds.most + 1));
  }
  for (const auto member : {&Profile::arbitration, &Profile::issue}) {
    EXPECT_TRUE(accepts(member, 0));
    EXPECT_TRUE(accepts(member, 1));
    EXPECT_FALSE(accepts(member, 2));
  }
  EXPECT_FALSE(accepts(&Profile::zero, 1));
}

TEST(IsaProfile, ARefusalNamesTheParameter) {
  Profile profile = *find_profile("wse2");
  profile.colours = 25;
  EXPECT_EQ(check(profile).error(), "profile wse2: colours 25 must lie in 1..24");
  profile.colours = 24;
  profile.router_depth = 0;
  EXPECT_EQ(check(profile).error(), "profile wse2: router_depth 0 must be at least 1");
}

// ---- costs

TEST(IsaCost, NothingScalarCostsAnythingOnTheModel) {
  const Profile model = *find_profile("model");
  for (const InstructionInfo& row : kInstructions) {
    const Cost cost = cost_of(model, row.cost);
    EXPECT_EQ(cost.slots, 0u) << row.name;
    EXPECT_EQ(cost.cycles, 0u) << row.name;
  }
  EXPECT_EQ(cost_of(model, CostClass::BranchTaken).cycles, 0u);
}

// Everything that is not named here is simple: one slot, one cycle.
Cost scalar_cost(std::string_view mnemonic) {
  if (mnemonic.starts_with("fdiv") || mnemonic.starts_with("fsqrt") ||
      mnemonic.starts_with("div") || mnemonic.starts_with("rem")) {
    return {1, 50, 0};
  }
  if (mnemonic.starts_with("ld32") || mnemonic.starts_with("ld16")) return {2, 2, 0};
  if (mnemonic == "jmp") return {3, 3, 0};
  if (mnemonic == "tsc" || mnemonic == "tsch") return {14, 14, 0};
  if (mnemonic == "call" || mnemonic == "ret") return {4, 4, 0};
  if (mnemonic == "setd" || mnemonic == "ldd" || mnemonic == "std") return {10, 10, 0};
  for (const std::string_view free : {"wait", "halt", "end", "mark", "print", "assert"}) {
    if (mnemonic == free) return {};
  }
  return {1, 1, 0};
}

TEST(IsaCost, ScalarInstructionsOnWse2) {
  const Profile wse2 = *find_profile("wse2");
  for (const InstructionInfo& row : kInstructions) {
    if (row.is_vector()) continue;
    const Cost expected = scalar_cost(row.mnemonic);
    const Cost cost = cost_of(wse2, row.cost);
    EXPECT_EQ(cost.slots, expected.slots) << row.name;
    EXPECT_EQ(cost.cycles, expected.cycles) << row.name;
  }
  EXPECT_EQ(cost_of(wse2, CostClass::BranchTaken).cycles, 3u);
  EXPECT_EQ(cost_of(wse2, CostClass::DescriptorDimension).slots, 3u);
  EXPECT_EQ(cost_of(wse2, CostClass::DescriptorDimension).cycles, 3u);
}

// 16-bit move, add, sub, mul and logic issue four elements per cycle, 32-bit move, add and sub two,
// other products one. A vector instruction holds
// no slot beyond its issues: start and drain belong to the profile.
TEST(IsaCost, VectorInstructionsIssueByTheSimdTable) {
  for (const std::string& name : profile_names()) {
    const Profile profile = *find_profile(name);
    for (const InstructionInfo& row : kInstructions) {
      if (!row.is_vector()) continue;
      const Cost cost = cost_of(profile, row.cost);
      EXPECT_EQ(cost.slots, 0u) << row.name;
      EXPECT_EQ(cost.cycles, 0u) << row.name;
      EXPECT_TRUE(cost.simd == 1 || cost.simd == 2 || cost.simd == 4) << row.name;
    }
    for (const Op op : {Op::VMov16, Op::VAdd16, Op::VSub16, Op::VMul16, Op::VAnd16, Op::VOr16,
                        Op::VFMovH, Op::VFAddH, Op::VFMulH, Op::VFMacH, Op::VFAbsH}) {
      EXPECT_EQ(cost_of(profile, info(op).cost).simd, 4u) << info(op).name;
    }
    for (const Op op : {Op::VMov32, Op::VFMovS, Op::VAdd32, Op::VSub32, Op::VFAddS, Op::VFSubS,
                        Op::VFAddHS, Op::VFMacHS}) {
      EXPECT_EQ(cost_of(profile, info(op).cost).simd, 2u) << info(op).name;
    }
    for (const Op op : {Op::VMul32, Op::VFMulS, Op::VFMacS, Op::VMin32, Op::VFMaxS, Op::VAnd32,
                        Op::VSll32, Op::VMin16, Op::VSll16, Op::VPopcount16, Op::VFMaxH,
                        Op::VHalfToSingle, Op::VSingleToHalf}) {
      EXPECT_EQ(cost_of(profile, info(op).cost).simd, 1u) << info(op).name;
    }
  }
}

TEST(IsaCost, FlopsAreCountedByElement) {
  for (const InstructionInfo& row : kInstructions) {
    std::uint32_t expected = 0;
    for (const std::string_view one : {"fadds", "fsubs", "fmuls", "fdivs", "fsqrts", "faddh",
                                       "fsubh", "fmulh", "fdivh", "fsqrth", "faddhs"}) {
      if (row.mnemonic == one) expected = 1;
    }
    if (row.mnemonic.starts_with("fmac")) expected = 2;
    EXPECT_EQ(row.flops, expected) << row.name;
  }
}

}  // namespace
}  // namespace wse::isa
