// The profiles: their numbers, their sources, what check() refuses, and what instructions cost.
// Expected numbers are written by hand here, never read from the table that is tested.
#include "isa/machine/profile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace wse::isa {
namespace {

std::uint32_t value_of(const Profile& profile, std::string_view name) {
  for (const ParameterInfo& parameter : kParameters) {
    if (parameter.name == name) return profile.*parameter.member;
  }
  ADD_FAILURE() << "no parameter " << name;
  return 0;
}

struct Expected {
  std::string_view name;
  std::uint32_t least;
  std::uint32_t most;
  std::uint32_t wse2;
  std::uint32_t wse3;
  std::uint32_t model;
  std::uint32_t cm200;
  std::uint32_t news;
};

constexpr Expected kExpected[] = {
    {"memory_bytes", 1, 1u << 30, 49152, 49152, 49152, 4'194'304, 4'194'304},
    {"banks", 2, 65'536, 8, 8, 8, 2, 2},
    {"colours", 1, 24, 24, 24, 24, 24, 24},
    {"switch_positions", 1, 4, 4, 4, 4, 4, 4},
    {"switch_position_sides", 1, 2, 1, 2, 2, 2, 2},
    {"input_queues", 1, 32, 8, 8, 8, 24, 24},
    {"output_queues", 1, 32, 6, 8, 6, 24, 24},
    {"switch_colours", 0, 0xffffff, 0xffffff, 0x3333ff, 0xffffff, 0xffffff, 0xffffff},
    {"queue_colours", 0, 1, 0, 1, 0, 0, 0},
    {"fabric_inputs", 1, 3, 3, 1, 3, 3, 3},
    {"data_task_ids", 0, 1, 0, 1, 0, 0, 0},
    {"first_local_id", 0, 30, 0, 8, 0, 0, 0},
    {"stretch_instructions", 1, 1'000'000'000, 1'000'000, 1'000'000, 1'000'000, 1'000'000,
     1'000'000},
    {"clock_mhz", 1, 1'000'000, 850, 1100, 850, 10, 10},
    {"hop_latency_cycles", 1, 1u << 24, 1, 2, 1, 121, 57},
    {"link_interval_cycles", 1, 1u << 24, 1, 1, 1, 121, 57},
    {"ramp_latency_cycles", 1, 65'533, 2, 3, 2, 1, 1},
    {"router_depth", 1, 65'535, 2, 3, 2, 2, 2},
    {"up_ramp_depth", 3, 65'535, 4, 7, 4, 4, 4},
    {"down_ramp_depth", 2, 65'535, 4, 7, 4, 4, 4},
    {"arbitration", 0, 1, 0, 0, 0, 0, 0},
    {"issue", 0, 1, 0, 0, 1, 0, 0},
    {"vector_start_cycles", 0, 1u << 24, 2, 3, 0, 0, 0},
    {"vector_drain_cycles", 0, 1u << 24, 4, 3, 0, 0, 0},
    {"vector_overlap", 0, 1, 1, 1, 0, 0, 0},
    {"vector_latency_cycles", 0, 1u << 24, 2, 2, 0, 0, 0},
    {"float_latency_cycles", 0, 1u << 24, 2, 2, 0, 0, 0},
    {"map_gap_cycles", 0, 1u << 24, 1, 2, 0, 0, 0},
    {"noop_share", 0, 900'000, 0, 0, 0, 0, 0},
    {"noop_seed", 0, 0x7fffffff, 1, 1, 1, 1, 1},
    {"simd_16bit", 1, 1u << 24, 4, 8, 4, 2, 2},
    {"simd_32bit", 1, 1u << 24, 2, 4, 2, 1, 1},
    {"simd_extra_16bit", 1, 1u << 24, 1, 8, 1, 1, 1},
    {"simd_extra_32bit", 1, 1u << 24, 1, 4, 1, 1, 1},
    {"simd_other", 1, 1u << 24, 1, 1, 1, 1, 1},
    {"read_port_bytes", 1, 1u << 24, 16, 32, 16, 4, 4},
    {"write_port_bytes", 1, 1u << 24, 8, 16, 8, 4, 4},
    {"stride_one_bank_limit", 1, 1u << 24, 1, 1, 1, 1, 1},
    {"stride_odd_limit", 1, 1u << 24, 2, 2, 2, 1, 1},
    {"stride_line_bytes", 0, 1u << 24, 0, 16, 0, 0, 0},
    {"bank_conflict_banks", 1, 65'536, 4, 8, 4, 1, 1},
    {"bank_conflict_width", 0, 1, 0, 1, 0, 0, 0},
    {"bank_conflict_cycles", 1, 1u << 24, 2, 2, 2, 1, 1},
    {"task_start_cycles", 0, 1u << 24, 0, 0, 0, 419, 243},
    {"descriptor_load_cycles", 0, 1u << 24, 1, 1, 0, 0, 0},
    {"descriptor_fetch_cycles", 0, 1u << 24, 11, 11, 0, 0, 0},
    {"route_write_cycles", 0, 1u << 24, 1, 42, 0, 1, 1},
    {"simple_cycles", 0, 1u << 24, 1, 1, 0, 1, 1},
    {"load_cycles", 0, 1u << 24, 2, 1, 0, 2, 2},
    {"branch_cycles", 0, 1u << 24, 1, 3, 0, 1, 1},
    {"branch_taken_cycles", 0, 1u << 24, 3, 6, 0, 1, 1},
    {"tsc_read_cycles", 0, 1u << 24, 2, 2, 0, 1, 1},
    {"divide_cycles", 0, 1u << 24, 50, 50, 0, 10, 10},
};

TEST(IsaProfile, HasTheNumbersOfTheMachine) {
  const Profile wse2 = *find_profile("wse2");
  const Profile wse3 = *find_profile("wse3");
  const Profile model = *find_profile("model");
  const Profile cm200 = *find_profile("cm200");
  const Profile news = *find_profile("cm200-news");
  for (const Expected& expected : kExpected) {
    EXPECT_EQ(value_of(wse2, expected.name), expected.wse2) << expected.name;
    EXPECT_EQ(value_of(wse3, expected.name), expected.wse3) << expected.name;
    EXPECT_EQ(value_of(model, expected.name), expected.model) << expected.name;
    EXPECT_EQ(value_of(cm200, expected.name), expected.cm200) << expected.name;
    EXPECT_EQ(value_of(news, expected.name), expected.news) << expected.name;
  }
  for (const ParameterInfo& parameter : kParameters) {
    const bool is_here =
        std::ranges::find(kExpected, parameter.name, &Expected::name) != std::end(kExpected);
    EXPECT_TRUE(is_here || parameter.wafer.mark == "ours")
        << parameter.name << ": what others know of the machine is expected here too";
  }
}

TEST(IsaProfile, EveryProfileIsFoundByNameAndPassesTheCheck) {
  EXPECT_EQ(profile_names(),
            (std::vector<std::string>{"wse2", "wse3", "model", "cm200", "cm200-news"}));
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
  for (const ParameterInfo& parameter : kParameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " twice";
    EXPECT_FALSE(parameter.unit.empty()) << parameter.name;
    for (const Family family : {Family::Wafer, Family::Cm200}) {
      const auto& [mark, source] = origin(family, parameter);
      EXPECT_TRUE((std::set<std::string_view>{"doc", "meas", "paper", "ours"}.contains(mark)))
          << parameter.name;
      EXPECT_FALSE(source.empty()) << parameter.name;
    }
  }
}

// The numbers of a CM-200 are its own: none says that it comes from a wafer's documents.
TEST(IsaProfile, ACm200HasItsOwnSources) {
  for (const ParameterInfo& parameter : kParameters) {
    const Origin& own = origin(Family::Cm200, parameter);
    EXPECT_FALSE(own.source.contains("SDK") || own.source.contains("RED")) << parameter.name;
    EXPECT_EQ(own.mark == "paper", own.source.starts_with("CM ")) << parameter.name;
  }
}

// The least that a ramp needs for full rate, for any ramp latency: one less is refused.
TEST(IsaProfile, RampsNeedRoomForFullRate) {
  for (const std::uint32_t latency : {1u, 2u, 3u, 6u, 253u, 254u, 255u, 65'532u, 65'533u}) {
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

// Every parameter can be anything in its range without the others being in its way: ramps are as
// deep as can be, nothing holds a slot, a divide takes longest.
Profile roomy() {
  Profile profile = *find_profile("model");
  profile.ramp_latency_cycles = info(&Profile::ramp_latency_cycles).least;
  profile.up_ramp_depth = info(&Profile::up_ramp_depth).most;
  profile.down_ramp_depth = info(&Profile::down_ramp_depth).most;
  profile.divide_cycles = info(&Profile::divide_cycles).most;
  return profile;
}

std::string refusal(const ParameterInfo& parameter, std::uint32_t value) {
  Profile profile = roomy();
  profile.*parameter.member = value;
  const Status status = check(profile);
  return status ? "" : status.error();
}

TEST(IsaProfile, EveryParameterHasItsBounds) {
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.name);
    const auto found = std::ranges::find(kParameters, expected.name, &ParameterInfo::name);
    ASSERT_NE(found, std::end(kParameters));
    EXPECT_EQ(found->least, expected.least);
    EXPECT_EQ(found->most, expected.most);
  }
}

// At its bounds, one beyond, and where fields of 8, 16 and 32 bits end.
TEST(IsaProfile, WhatLiesBeyondABoundIsRefusedByName) {
  constexpr std::uint32_t kEnds[] = {0,           1,           0xfeu,   0xffu,    0x100u,
                                     0x101u,      0xfffeu,     0xffffu, 0x10000u, 0x10001u,
                                     0x7fffffffu, 0x80000000u, ~0u - 2, ~0u - 1,  ~0u};
  for (const ParameterInfo& parameter : kParameters) {
    std::set<std::uint32_t> values(std::begin(kEnds), std::end(kEnds));
    for (const std::uint32_t bound : {parameter.least, parameter.most}) {
      values.insert({bound - 1, bound, bound + 1});
    }
    for (const std::uint32_t value : values) {
      const bool good = value >= parameter.least && value <= parameter.most;
      const std::string number = number_text(parameter, value);
      const std::string expected =
          fmt::format("profile model: {} {} must lie in {} ({})", parameter.name, number,
                      range_text(parameter), parameter.unit);
      EXPECT_EQ(refusal(parameter, value), good ? "" : expected);
    }
  }
}

// Prices are sums: no sum of some steps overflows.
TEST(IsaProfile, TheDearestPricesHaveRoom) {
  Profile slow = *find_profile("model");
  for (const ParameterInfo& parameter : kParameters) {
    if (parameter.unit == "cycles") slow.*parameter.member = parameter.most;
  }
  slow.up_ramp_depth = slow.down_ramp_depth = info(&Profile::up_ramp_depth).most;
  EXPECT_TRUE(check(slow));
  EXPECT_EQ(cost_of(slow, CostClass::Call).cycles, 1u << 25);
}

TEST(IsaProfile, ADivideTakesNoLessThanItsSlot) {
  Profile profile = *find_profile("wse2");
  profile.simple_cycles = 2;
  profile.divide_cycles = 2;
  EXPECT_TRUE(check(profile));
  profile.divide_cycles = 1;
  EXPECT_EQ(check(profile).error(),
            "profile wse2: divide, square root holds the issue slot for 2 cycles and takes 1");
}

// Rows of tests/fidelity are what each of them was chosen with. No program sees how long a launch
// of the host takes.
TEST(IsaProfile, AtMostFifteenTimesAreNotDocumented) {
  const auto times = std::ranges::count_if(kParameters, [](const ParameterInfo& parameter) {
    return parameter.unit.starts_with("cycles") && parameter.wafer.mark != "doc" &&
           parameter.member != &Profile::launch_cycles;
  });
  EXPECT_GT(times, 5);
  EXPECT_LE(times, 15);
}

TEST(IsaProfile, ARefusalNamesTheParameter) {
  Profile profile = *find_profile("wse2");
  profile.colours = 25;
  EXPECT_EQ(check(profile).error(), "profile wse2: colours 25 must lie in 1..24 (colours)");
  profile.colours = 24;
  profile.router_depth = 65'536;
  EXPECT_EQ(check(profile).error(),
            "profile wse2: router_depth 65536 must lie in 1..65535 (wavelets)");
  profile.router_depth = 2;
  profile.switch_colours = ~0u;
  EXPECT_EQ(check(profile).error(),
            "profile wse2: switch_colours 0xffffffff must lie in 0x0..0xffffff (mask of colours)");
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
  if (mnemonic == "tsc" || mnemonic == "tsch") return {2, 2, 0};
  if (mnemonic == "call" || mnemonic == "ret") return {4, 4, 0};
  if (mnemonic == "setd") return {1, 1, 0};
  if (mnemonic == "ldd" || mnemonic == "std") return {11, 11, 0};
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

// The vendor's table, by the vendor's names: elements per cycle on WSE-2 and on WSE-3. What is not
// in it takes one cycle per element.
struct SimdRow {
  std::uint32_t wse2;
  std::uint32_t wse3;
  std::vector<std::string_view> mnemonics;
};

const SimdRow kVendorsTable[] = {
    {4,
     8,
     {"mov16", "add16", "sub16", "and16", "or16", "xor16", "fmovh", "faddh", "fsubh", "fmulh",
      "fmach", "fnegh", "fabsh"}},
    {2, 4, {"mov32", "fmovs", "fadds", "fsubs", "fnegs", "fabss", "faddhs", "fmachs"}},
    {1, 8, {"fmaxh", "fh2xp16", "xp162fh"}},
    {1, 4, {"fmaxs", "fh2s", "fs2h", "fs2xp16", "xp162fs", "sar16", "sll16", "slr16"}},
    {1, 1, {"fmacs", "fmuls", "clz32", "popcnt32", "clz16", "popcnt16"}},
};

// What the vendor has not, as its relatives in the table.
const SimdRow kOurs[] = {
    {4, 8, {"mul16"}},
    {2, 4, {"add32", "sub32"}},
    {1, 8, {"fminh"}},
    {1, 4, {"fmins"}},
};

void add_rates(std::map<std::string_view, SimdRow>& rates, std::span<const SimdRow> rows) {
  for (const SimdRow& row : rows) {
    for (const std::string_view mnemonic : row.mnemonics) {
      EXPECT_TRUE(rates.emplace(mnemonic, SimdRow{row.wse2, row.wse3, {}}).second) << mnemonic;
    }
  }
}

TEST(IsaCost, VectorInstructionsIssueByTheSimdTable) {
  std::map<std::string_view, SimdRow> rates;
  add_rates(rates, kVendorsTable);
  add_rates(rates, kOurs);
  const Profile wse2 = *find_profile("wse2");
  const Profile wse3 = *find_profile("wse3");
  const Profile model = *find_profile("model");
  std::set<std::string_view> met;
  for (const InstructionInfo& row : kInstructions) {
    if (!row.is_vector()) continue;
    const auto found = rates.find(row.mnemonic);
    const SimdRow expected = found == rates.end() ? SimdRow{1, 1, {}} : found->second;
    if (found != rates.end()) met.insert(row.mnemonic);
    EXPECT_EQ(cost_of(wse2, row.cost).simd, expected.wse2) << row.mnemonic;
    EXPECT_EQ(cost_of(wse3, row.cost).simd, expected.wse3) << row.mnemonic;
    EXPECT_EQ(cost_of(model, row.cost).simd, expected.wse2) << row.mnemonic;
  }
  EXPECT_EQ(met.size(), rates.size()) << "a row names no vector instruction";
}

// Start and drain belong to the profile.
TEST(IsaCost, AVectorInstructionHoldsNoSlotBeyondItsIssues) {
  for (const std::string& name : profile_names()) {
    for (const InstructionInfo& row : kInstructions) {
      if (!row.is_vector()) continue;
      const Cost cost = cost_of(*find_profile(name), row.cost);
      EXPECT_EQ(cost.slots, 0u) << row.name;
      EXPECT_EQ(cost.cycles, 0u) << row.name;
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
