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
constexpr std::size_t kMostTimingConstants = 15;
constexpr std::ptrdiff_t kLeastRows = 2;
constexpr std::uint32_t kFarthest = 64;  // cycles from the profile's value that are looked at

// Rows of few cycles that the machine explains.
std::vector<Row> short_rows() {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  auto rows = *parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  std::erase_if(rows, [](const Row& row) {
    const bool claimed = row.use != Use::Shape && row.use != Use::Context;
    return row.measured > kLongCycles || !claimed || !row.explained;
  });
  return rows;
}

// Rows that choose or bound a constant.
std::vector<Row> deciding_rows() {
  std::vector<Row> rows = short_rows();
  std::erase_if(rows, [](const Row& row) { return row.use != Use::Fit && row.use != Use::Bound; });
  return rows;
}

double cycles_of(const Row& row, const isa::Profile& profile) {
  const auto cycles = simulated_cycles(row, WSE_SOURCE_DIR, profile);
  EXPECT_TRUE(cycles) << cycles.error();
  return cycles.value_or(0);
}

// Numbers of cycles that no documentation gives: the only ones that could be fitted. No program
// sees what the launch of a host takes.
std::vector<isa::ParameterInfo> all_timing_constants() {
  std::vector<isa::ParameterInfo> constants;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const bool documented = parameter.wafer.mark == "doc";
    const bool seen = parameter.name != "launch_cycles";
    if (parameter.unit.starts_with("cycles") && !documented && seen) constants.push_back(parameter);
  }
  return constants;
}

// Leaves out what only products on WSE-3 use, at which products_test.cpp looks.
std::vector<isa::ParameterInfo> timing_constants() {
  std::vector<isa::ParameterInfo> constants = all_timing_constants();
  std::erase_if(constants, [](const isa::ParameterInfo& parameter) {
    return parameter.name == "route_write_cycles";
  });
  return constants;
}

// The row's machine with another value there, and ramps deep enough for a longer latency.
isa::Profile with_value(isa::Profile profile, const isa::ParameterInfo& parameter,
                        std::uint32_t value) {
  const std::uint32_t own = profile.*parameter.member;
  profile.*parameter.member = value;
  const std::uint32_t longer = value > own ? value - own : 0;
  profile.up_ramp_depth += longer;
  profile.down_ramp_depth += longer;
  return profile;
}

bool sees(const Row& row, const isa::ParameterInfo& parameter) {
  const auto longer = with_value(row.machine, parameter, row.machine.*parameter.member + 1);
  return cycles_of(row, row.machine) != cycles_of(row, longer);
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

// The values around the machine's own with which all rows hold but those of one program.
Allowed interval_of(Table& table, const isa::ParameterInfo& parameter, std::uint32_t own,
                    std::string_view left_out) {
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

// A profile and the rows that were measured on its machine, which alone choose its constants.
struct Chosen {
  isa::MeasuredProfile measured;
  std::vector<Row> rows;
};

std::vector<Chosen> chosen_profiles() {
  std::vector<Chosen> all;
  for (const std::string_view name : {"wse2", "wse3"}) {
    std::vector<Row> rows = deciding_rows();
    std::erase_if(rows, [name](const Row& row) { return row.machine.name != name; });
    all.push_back({*isa::find_measured_profile(name), std::move(rows)});
  }
  return all;
}

// What rows allow of a constant is its interval in `wsevm machine` and `run --interval`; one that
// no row sees has none. Printed: what they allow without each program that says something about it.
void expect_interval(const Chosen& chosen, const isa::ParameterInfo& parameter) {
  const isa::Profile& profile = chosen.measured.profile;
  const std::uint32_t own = profile.*parameter.member;
  const auto interval = chosen.measured.intervals.find(parameter.name);
  const bool has_interval = interval != chosen.measured.intervals.end();
  const std::string name = fmt::format("{}: {}", profile.name, parameter.name);
  std::vector<Row> rows = chosen.rows;
  std::erase_if(rows, [&parameter](const Row& row) { return !sees(row, parameter); });
  EXPECT_EQ(!rows.empty(), has_interval) << name;
  if (!has_interval) return;
  Table table(rows, parameter);
  ASSERT_TRUE(table.hold(own, "")) << name;
  const Allowed allowed = interval_of(table, parameter, own, "");
  const std::string all = to_text(allowed);
  fmt::print("{} = {}: the rows allow {}\n", name, own, all);
  EXPECT_EQ(isa::interval_text(interval->second),
            fmt::format("{}..{}", allowed.least, allowed.most))
      << name;
  for (const std::string& program : programs_of(rows)) {
    const std::string without = to_text(interval_of(table, parameter, own, program));
    if (without != all) fmt::print("    without {}: {}\n", program, without);
  }
}

TEST(Constants, AreFew) { EXPECT_LE(all_timing_constants().size(), kMostTimingConstants); }

TEST(Constants, EachIsSeenByTwoRows) {
  const std::vector<Row> rows = short_rows();
  for (const isa::ParameterInfo& parameter : timing_constants()) {
    const auto seen = [&parameter](const Row& row) { return sees(row, parameter); };
    EXPECT_GE(std::ranges::count_if(rows, seen), kLeastRows) << parameter.name;
  }
}

TEST(Constants, AreWithinWhatTheRowsAllow) {
  for (const Chosen& chosen : chosen_profiles()) {
    for (const isa::ParameterInfo& parameter : timing_constants()) {
      expect_interval(chosen, parameter);
    }
  }
}

TEST(Constants, RowsHeldBackHold) {
  for (const Row& row : short_rows()) {
    if (row.use == Use::HeldBack) {
      EXPECT_TRUE(holds(row, cycles_of(row, row.machine))) << row.name;
    }
  }
}

// Whoever chooses the fetch of a descriptor so that the other rows hold, has the rows that are held
// back within the same bounds.
TEST(Constants, RowsHeldBackFollowFromTheOthers) {
  const auto constants = timing_constants();
  const auto fetch = std::ranges::find(constants, std::string_view("descriptor_fetch_cycles"),
                                       &isa::ParameterInfo::name);
  ASSERT_NE(fetch, constants.end());
  std::vector<Row> kept = short_rows();
  std::erase_if(kept, [](const Row& row) { return row.use != Use::HeldBack; });
  ASSERT_EQ(kept.size(), 2u);
  const Chosen wse2 = chosen_profiles().front();
  Table fit(wse2.rows, *fetch);
  Table held_back(kept, *fetch);
  const Allowed allowed =
      interval_of(fit, *fetch, wse2.measured.profile.descriptor_fetch_cycles, "");
  for (std::uint32_t value = allowed.least; value <= allowed.most; ++value) {
    EXPECT_TRUE(held_back.hold(value, "")) << value;
  }
}

}  // namespace
}  // namespace wse::fidelity
