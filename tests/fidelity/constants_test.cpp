// What do the rows say about the constants? That each decided-upon constant is seen by several
// rows, and that rows nobody looked at for choosing them follow from those that were.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/fidelity/measure.h"
#include "tests/support/files.h"

namespace wse::fidelity {
namespace {

constexpr double kLongCycles = 4000;  // longer rows take long, and their set-ups vanish in them
constexpr std::size_t kMostTimingConstants = 12;
constexpr std::ptrdiff_t kLeastRows = 2;

std::vector<Row> short_rows() {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  auto rows = *parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  std::erase_if(rows, [](const Row& row) { return row.measured > kLongCycles; });
  return rows;
}

double cycles_of(const Row& row, const isa::Profile& profile) {
  const auto cycles = simulated_cycles(row, WSE_SOURCE_DIR, profile);
  EXPECT_TRUE(cycles) << cycles.error();
  return cycles.value_or(0);
}

// Numbers of cycles that no documentation gives: the only ones that could be fitted.
std::vector<isa::ParameterInfo> timing_constants() {
  std::vector<isa::ParameterInfo> constants;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    if (parameter.unit.starts_with("cycles") && parameter.wafer.mark != "doc")
      constants.push_back(parameter);
  }
  return constants;
}

// The row's machine with one more cycle there, and ramps deep enough for a longer latency.
isa::Profile lengthened(isa::Profile profile, const isa::ParameterInfo& parameter) {
  ++(profile.*parameter.member);
  ++profile.up_ramp_depth;
  ++profile.down_ramp_depth;
  return profile;
}

TEST(Constants, AreFew) { EXPECT_LE(timing_constants().size(), kMostTimingConstants); }

TEST(Constants, EachIsSeenByTwoRows) {
  const std::vector<Row> rows = short_rows();
  for (const isa::ParameterInfo& parameter : timing_constants()) {
    const auto sees = [&parameter](const Row& row) {
      return cycles_of(row, row.machine) != cycles_of(row, lengthened(row.machine, parameter));
    };
    EXPECT_GE(std::ranges::count_if(rows, sees), kLeastRows) << parameter.name;
  }
}

// The largest error among the rows of that use whose code is known.
double worst(const std::vector<Row>& rows, Use use, std::uint32_t task_start, std::uint32_t load) {
  double most = 0;
  for (const Row& row : rows) {
    if (row.use != use || row.within == Within::Rough) continue;
    isa::Profile profile = row.machine;
    profile.task_start_cycles = task_start;
    profile.descriptor_load_cycles = load;
    most = std::max(most, std::abs(error_percent(row, cycles_of(row, profile))));
  }
  return most;
}

// Whoever chooses the two constants of set-ups so that the other rows hold, has the rows that are
// held back within the same bound; and the profile's choice is one of these.
TEST(Constants, RowsHeldBackFollowFromTheOthers) {
  const std::vector<Row> rows = short_rows();
  const double bound = tolerance_percent(Within::Close);
  int choices = 0;
  for (std::uint32_t task_start = 9; task_start <= 17; ++task_start) {
    for (std::uint32_t load = 8; load <= 12; ++load) {
      if (worst(rows, Use::Fit, task_start, load) > bound) continue;
      ++choices;
      EXPECT_LE(worst(rows, Use::HeldBack, task_start, load), bound)
          << "task start " << task_start << ", descriptor load " << load;
    }
  }
  EXPECT_GT(choices, 1);
  const isa::Profile wse2 = *isa::find_profile("wse2");
  EXPECT_LE(worst(rows, Use::Fit, wse2.task_start_cycles, wse2.descriptor_load_cycles), bound);
}

}  // namespace
}  // namespace wse::fidelity
