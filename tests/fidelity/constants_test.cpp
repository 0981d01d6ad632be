// What do the rows say about the constants? Which of them each row sees, what values the rows
// allow, and what they allow when the rows of one program are left out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "isa/machine/interval.h"
#include "tests/fidelity/measure.h"
#include "tests/support/files.h"

namespace wse::fidelity {
namespace {

constexpr double kLongCycles = 4000;  // longer rows take long, and their set-ups vanish in them
constexpr std::size_t kMostTimingConstants = 12;
constexpr std::ptrdiff_t kLeastRows = 2;
constexpr std::uint32_t kFarthest = 64;  // cycles from the profile's value that are looked at

std::vector<Row> short_rows() {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  auto rows = *parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  std::erase_if(rows, [](const Row& row) { return row.measured > kLongCycles; });
  return rows;
}

// Rows that choose or bound a constant.
std::vector<Row> deciding_rows() {
  std::vector<Row> rows = short_rows();
  std::erase_if(rows, [](const Row& row) {
    return (row.use != Use::Fit && row.use != Use::Bound) || !row.explained;
  });
  return rows;
}

double cycles_of(const Row& row, const isa::Profile& profile) {
  const auto cycles = simulated_cycles(row, WSE_SOURCE_DIR, profile);
  EXPECT_TRUE(cycles) << cycles.error();
  return cycles.value_or(0);
}

// Constants that have the value of another on every machine: no row tells them apart.
struct Follower {
  std::string_view name;
  std::uint32_t isa::Profile::* member;
  std::string_view of;
};
constexpr Follower kFollowers[] = {
    {"descriptor_fetch_cycles", &isa::Profile::descriptor_fetch_cycles, "descriptor_load_cycles"},
    {"branch_cycles", &isa::Profile::branch_cycles, "simple_cycles"},
};

bool follows(const isa::ParameterInfo& parameter) {
  return std::ranges::find(kFollowers, parameter.name, &Follower::name) != std::end(kFollowers);
}

// Numbers of cycles that no documentation gives: the only ones that could be fitted.
std::vector<isa::ParameterInfo> all_timing_constants() {
  std::vector<isa::ParameterInfo> constants;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const bool documented = parameter.wafer.mark == "doc";
    if (parameter.unit.starts_with("cycles") && !documented && !follows(parameter)) {
      constants.push_back(parameter);
    }
  }
  return constants;
}

// Leaves out what only products on WSE-3 use, at which products_test.cpp looks, and what no profile
// uses.
std::vector<isa::ParameterInfo> timing_constants() {
  std::vector<isa::ParameterInfo> constants = all_timing_constants();
  std::erase_if(constants, [](const isa::ParameterInfo& parameter) {
    return parameter.name == "map_gap_cycles" || parameter.name == "route_write_cycles" ||
           parameter.name == "vector_latency_cycles";  // 0 everywhere
  });
  return constants;
}

// The row's machine with another value there and in what follows it, and ramps deep enough for a
// longer latency.
isa::Profile with_value(isa::Profile profile, const isa::ParameterInfo& parameter,
                        std::uint32_t value) {
  const std::uint32_t own = profile.*parameter.member;
  profile.*parameter.member = value;
  for (const Follower& follower : kFollowers) {
    if (follower.of == parameter.name) profile.*follower.member = value;
  }
  const std::uint32_t longer = value > own ? value - own : 0;
  profile.up_ramp_depth += longer;
  profile.down_ramp_depth += longer;
  return profile;
}

bool sees(const Row& row, const isa::ParameterInfo& parameter) {
  const auto longer = with_value(row.machine, parameter, row.machine.*parameter.member + 1);
  return cycles_of(row, row.machine) != cycles_of(row, longer);
}

std::uint32_t own_value(const isa::ParameterInfo& parameter) {
  return (*isa::find_profile("wse2")).*parameter.member;
}

// Which rows hold with each value of a constant that was asked for.
class Table {
 public:
  Table(std::vector<Row> rows, const isa::ParameterInfo& parameter)
      : rows_(std::move(rows)), parameter_(parameter) {}

  // Whether all rows but those of the program `left_out` hold.
  bool hold(std::uint32_t value, std::string_view left_out) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (rows_[k].program != left_out && !holds_at(k, value)) return false;
    }
    return true;
  }

 private:
  bool holds_at(std::size_t k, std::uint32_t value) {
    const auto [place, is_new] = known_.try_emplace({k, value}, false);
    if (is_new) {
      const isa::Profile profile = with_value(rows_[k].machine, parameter_, value);
      place->second = holds(rows_[k], cycles_of(rows_[k], profile));
    }
    return place->second;
  }

  std::vector<Row> rows_;
  isa::ParameterInfo parameter_;
  std::map<std::pair<std::size_t, std::uint32_t>, bool> known_;
};

struct Allowed {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  bool open = false;  // nothing ends it within kFarthest
};

// The values around the profile's own with which all rows hold but those of one program.
Allowed interval_of(Table& table, const isa::ParameterInfo& parameter, std::string_view left_out) {
  const std::uint32_t own = own_value(parameter);
  Allowed found{.least = own, .most = own};
  while (found.least > parameter.least && table.hold(found.least - 1, left_out)) --found.least;
  while (found.most < own + kFarthest && table.hold(found.most + 1, left_out)) ++found.most;
  found.open = found.most == own + kFarthest;
  return found;
}

std::string to_text(const Allowed& interval) {
  if (interval.open) return fmt::format("{} or more", interval.least);
  if (interval.least == interval.most) return fmt::format("{} alone", interval.least);
  return fmt::format("{}..{}", interval.least, interval.most);
}

std::set<std::string> programs_of(const std::vector<Row>& rows) {
  std::set<std::string> programs;
  for (const Row& row : rows) programs.insert(row.program);
  return programs;
}

// `wsevm machine` and `run --interval` have the same interval, of the constant and of those that
// follow it, on each profile of a wafer with the number that the rows were run with.
void expect_intervals(const isa::ParameterInfo& parameter, const Allowed& allowed) {
  std::vector<std::string_view> names = {parameter.name};
  for (const Follower& follower : kFollowers) {
    if (follower.of == parameter.name) names.push_back(follower.name);
  }
  for (const std::string_view profile : {"wse2", "wse3"}) {
    const isa::MeasuredProfile measured = *isa::find_measured_profile(profile);
    if (measured.profile.*parameter.member != own_value(parameter)) continue;
    for (const std::string_view name : names) {
      const auto found = measured.intervals.find(name);
      ASSERT_NE(found, measured.intervals.end()) << profile << " " << name;
      EXPECT_EQ(isa::interval_text(found->second),
                fmt::format("{}..{}", allowed.least, allowed.most))
          << profile << " " << name;
    }
  }
}

TEST(Constants, AreFew) { EXPECT_LE(all_timing_constants().size(), kMostTimingConstants); }

TEST(Constants, SomeFollowOthers) {
  for (const std::string& name : isa::profile_names()) {
    const isa::Profile profile = *isa::find_profile(name);
    for (const Follower& follower : kFollowers) {
      const auto of = std::ranges::find(isa::kParameters, follower.of, &isa::ParameterInfo::name);
      ASSERT_NE(of, std::end(isa::kParameters));
      EXPECT_EQ(profile.*follower.member, profile.*of->member) << name << " " << follower.name;
    }
  }
}

TEST(Constants, EachIsSeenByTwoRows) {
  const std::vector<Row> rows = short_rows();
  for (const isa::ParameterInfo& parameter : timing_constants()) {
    const auto seen = [&parameter](const Row& row) { return sees(row, parameter); };
    EXPECT_GE(std::ranges::count_if(rows, seen), kLeastRows) << parameter.name;
  }
}

// The rows allow the profile's value, and where a constant says what they allow, they do. Printed:
// what they allow without each program that says something about the constant.
TEST(Constants, AreWithinWhatTheRowsAllow) {
  const std::vector<Row> rows = deciding_rows();
  for (const isa::ParameterInfo& parameter : timing_constants()) {
    Table table(rows, parameter);
    const std::uint32_t own = own_value(parameter);
    ASSERT_TRUE(table.hold(own, "")) << parameter.name;
    const Allowed allowed = interval_of(table, parameter, "");
    const std::string all = to_text(allowed);
    fmt::print("{} = {}: the rows allow {}\n", parameter.name, own, all);
    if (parameter.wafer.mark == "ours") {
      EXPECT_TRUE(parameter.wafer.source.contains("rows allow " + all))
          << parameter.name << ": " << all;
    }
    expect_intervals(parameter, allowed);
    for (const std::string& program : programs_of(rows)) {
      const std::string without = to_text(interval_of(table, parameter, program));
      if (without != all) fmt::print("    without {}: {}\n", program, without);
    }
  }
}

// No row of a program with tasks says anything about other constants, and no other row about tasks.
TEST(Constants, TasksAndTheRestAreApart) {
  for (const isa::ParameterInfo& parameter : timing_constants()) {
    const bool of_tasks = parameter.name == "task_start_cycles";
    for (const Row& row : deciding_rows()) {
      if (of_tasks) {
        EXPECT_EQ(sees(row, parameter), row.use == Use::Bound) << row.name;
      }
    }
  }
  for (const Row& row : short_rows()) {
    if (row.use == Use::HeldBack) {
      EXPECT_TRUE(holds(row, cycles_of(row, row.machine))) << row.name;
    }
  }
}

// Whoever chooses the load of a descriptor so that the other rows hold, has the rows that are held
// back within the same bounds.
TEST(Constants, RowsHeldBackFollowFromTheOthers) {
  const auto constants = timing_constants();
  const auto load = std::ranges::find(constants, std::string_view("descriptor_load_cycles"),
                                      &isa::ParameterInfo::name);
  ASSERT_NE(load, constants.end());
  std::vector<Row> kept = short_rows();
  std::erase_if(kept, [](const Row& row) { return row.use != Use::HeldBack; });
  ASSERT_EQ(kept.size(), 2u);
  Table fit(deciding_rows(), *load);
  Table held_back(kept, *load);
  const Allowed allowed = interval_of(fit, *load, "");
  for (std::uint32_t value = allowed.least; value <= allowed.most; ++value) {
    EXPECT_TRUE(held_back.hold(value, "")) << value;
  }
}

}  // namespace
}  // namespace wse::fidelity
