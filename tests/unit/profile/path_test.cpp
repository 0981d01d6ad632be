// The critical path in a profile, and the rows of it that a page draws.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "asm/assembler.h"
#include "vm/page/path_rows.h"
#include "vm/profile/collect.h"
#include "vm/profile/counts.h"

namespace wse::test_path {
namespace {

using Json = nlohmann::json;
using Values = std::vector<std::uint64_t>;

// Eight words over two links.
constexpr const char* kSends = R"(.grid 3, 1
.colour red
.program sends
  .i32 v[8] = i
  task main:
    mov32 fabout(red), v
.program takes
  .i32 v[8]
  task main:
    mov32 v, fabin(red)
.place sends at (0, 0)
.place takes at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east
.route red at (2, 0): west -> ramp
)";

vm::Profile profile_of_sends(const std::optional<vm::PathTarget>& path) {
  const isa::Profile wse2 = *isa::find_profile("wse2");
  assembler::Output output =
      assembler::assemble({"test.wsa", kSends}, {.overrides = {}, .profile = wse2});
  const auto machine = *vm::Machine::create(std::move(*output.image), wse2, {.threads = 1});
  const vm::Record record = machine->run({.profile = true, .path = path});
  return *vm::collect_profile(*machine, record, {"test.wsa", {}, &output.files});
}

std::uint64_t sum(const Json& rows) {
  std::uint64_t sum = 0;
  for (const Json& row : rows) sum += row["cycles"].get<std::uint64_t>();
  return sum;
}

// The steps are gapless in time and place, and add up to what meta says.
TEST(ProfiledPath, IsThereIfSomebodyAskedForIt) {
  const vm::Profile without = profile_of_sends({});
  EXPECT_EQ(without.find("path_step_kind"), nullptr);
  EXPECT_FALSE(Json::parse(without.meta).contains("path"));
  const vm::Profile profile = profile_of_sends(vm::PathTarget());
  const Json path = Json::parse(profile.meta)["path"];
  const vm::Numbers kind = profile.numbers("path_step_kind");
  const vm::Numbers cycles = profile.numbers("path_step_cycles");
  const vm::Numbers from = profile.numbers("path_step_from");
  const vm::Numbers to = profile.numbers("path_step_to");
  const vm::Numbers line = profile.numbers("path_step_line");
  ASSERT_EQ(path["steps"], kind.size());
  std::uint64_t all = 0;
  std::map<std::string, std::uint64_t> by_kind;
  for (std::size_t k = 0; k < kind.size(); ++k) {
    all += cycles[k];
    by_kind[path["kinds"][kind[k]]] += cycles[k];
    EXPECT_TRUE(k == 0 || from[k] == to[k - 1]) << k;
    EXPECT_TRUE(line[k] == vm::kNoNumber || line[k] < path["lines"].size()) << k;
  }
  EXPECT_EQ(all, profile.cycles);
  EXPECT_EQ(by_kind["link"], 2u);
  EXPECT_EQ(by_kind["issue"], 8u);
  EXPECT_EQ(path["pe"], to[to.size() - 1]);
  EXPECT_EQ(path["cycles"], profile.cycles);
  EXPECT_EQ(sum(path["groups"]), profile.cycles);
  EXPECT_EQ(sum(path["terms"]), profile.cycles);
  EXPECT_EQ(path["lines"][0]["file"], "test.wsa");
  const auto again = vm::parse_profile(*vm::format_profile(profile));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->path_steps, profile.path_steps);
}

// A profile of these steps alone: {kind, cycles, from, to} each, without colours and lines.
vm::Profile profile_of(const std::vector<Values>& steps) {
  constexpr const char* kNames[] = {"path_step_kind", "path_step_cycles", "path_step_from",
                                    "path_step_to"};
  vm::Profile profile;
  profile.path_steps = steps.size();
  for (std::size_t k = 0; k < 4; ++k) {
    Values values;
    for (const Values& step : steps) values.push_back(step[k]);
    profile.arrays.push_back(*vm::pack_counts(kNames[k], {values.size()}, values));
  }
  for (const char* const name : {"path_step_colour", "path_step_line"}) {
    profile.arrays.push_back(
        *vm::pack_counts(name, {steps.size()}, Values(steps.size(), vm::kNoNumber)));
  }
  return profile;
}

Values values_of(const vm::Numbers& numbers) {
  Values values;
  for (std::size_t k = 0; k < numbers.size(); ++k) values.push_back(numbers[k]);
  return values;
}

TEST(PathRows, StepsInOneDirectionMakeARow) {
  const vm::Profile profile = profile_of({{0, 2, 0, 0},
                                          {6, 1, 0, 1},
                                          {6, 1, 1, 2},  // on, the same way
                                          {6, 1, 2, 6},  // down, on a mesh of four columns
                                          {0, 1, 6, 6},
                                          {0, 3, 6, 6},    // stays
                                          {1, 1, 6, 6},    // another kind
                                          {1, 1, 7, 7}});  // another PE
  const vm::PathRows rows = vm::path_rows(profile);
  EXPECT_EQ(values_of(rows.kind), (Values{0, 6, 6, 0, 1, 1}));
  EXPECT_EQ(values_of(rows.cycles), (Values{2, 2, 1, 4, 1, 1}));
  EXPECT_EQ(values_of(rows.from), (Values{0, 0, 2, 6, 6, 7}));
  EXPECT_EQ(values_of(rows.to), (Values{0, 2, 6, 6, 6, 7}));
  EXPECT_EQ(rows.left_out, 0u);
}

TEST(PathRows, LongPathsAreCut) {
  std::vector<Values> steps;
  for (std::uint64_t k = 0; k < vm::kMostPathRows + 3; ++k) steps.push_back({k % 2, 1, 5, 5});
  const vm::PathRows rows = vm::path_rows(profile_of(steps));
  EXPECT_EQ(rows.kind.size(), vm::kMostPathRows);
  EXPECT_EQ(rows.left_out, 3u);
}

TEST(PathRows, AProfileWithoutAPathHasNone) {
  EXPECT_TRUE(vm::path_rows(vm::Profile()).kind.empty());
  vm::Profile half = profile_of({{0, 2, 0, 0}});
  half.arrays.pop_back();
  EXPECT_TRUE(vm::path_rows(half).kind.empty());
}

}  // namespace
}  // namespace wse::test_path
