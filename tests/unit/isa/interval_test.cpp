// Intervals of the profiles: what they must keep, and the profiles at their ends.
#include "isa/machine/interval.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wse::isa {
namespace {

const ParameterInfo& parameter_named(std::string_view name) {
  return *std::ranges::find(kParameters, name, &ParameterInfo::name);
}

TEST(IsaInterval, HoldsTheValueOfATimeThatNobodyHasDocumented) {
  std::size_t intervals = 0;
  for (const std::string& name : profile_names()) {
    const MeasuredProfile measured = *find_measured_profile(name);
    EXPECT_TRUE(same_numbers(measured.profile, *find_profile(name)));
    for (const auto& [parameter, interval] : measured.intervals) {
      const ParameterInfo& row = parameter_named(parameter);
      EXPECT_TRUE(interval.holds(measured.profile.*row.member)) << name << " " << parameter;
      EXPECT_TRUE(may_have_interval(row)) << parameter;
      EXPECT_NE(row.wafer.mark, "doc") << parameter;
      ++intervals;
    }
  }
  EXPECT_GE(intervals, 10u);
  EXPECT_FALSE(find_measured_profile("wse9"));
  EXPECT_TRUE(find_measured_profile("model")->intervals.empty());
}

TEST(IsaInterval, EndsGoTogetherOnEveryProfile) {
  for (const std::string& name : profile_names()) {
    const MeasuredProfile measured = *find_measured_profile(name);
    const Result<EndProfiles> ends = end_profiles(measured);
    ASSERT_TRUE(ends) << ends.error();
    for (const ParameterInfo& parameter : kParameters) {
      const std::uint32_t own = measured.profile.*parameter.member;
      const auto found = measured.intervals.find(parameter.name);
      const bool has = found != measured.intervals.end();
      EXPECT_EQ(ends->low.*parameter.member, has ? found->second.low : own) << parameter.name;
      EXPECT_EQ(ends->high.*parameter.member, has ? found->second.high : own) << parameter.name;
    }
    EXPECT_EQ(ends->low.name, name);
  }
}

TEST(IsaInterval, AnEndMayBeNoMachine) {
  MeasuredProfile measured = *find_measured_profile("wse2");
  measured.intervals["ramp_latency_cycles"] = {1, 3};
  EXPECT_EQ(end_profiles(measured).error(),
            "profile wse2: up_ramp_depth 4 cannot carry one wavelet per cycle; it needs at least "
            "ramp_latency_cycles + 2 = 5, with every constant at the high end of its interval");
  measured.intervals["ramp_latency_cycles"] = {0, 2};
  EXPECT_TRUE(end_profiles(measured).error().ends_with(
      "with every constant at the low end of its interval"));
}

TEST(IsaInterval, SameNumbersLooksAtEveryParameter) {
  const Profile profile = *find_profile("wse2");
  for (const ParameterInfo& parameter : kParameters) {
    Profile other = profile;
    other.name = "other";
    EXPECT_TRUE(same_numbers(profile, other));
    ++(other.*parameter.member);
    EXPECT_FALSE(same_numbers(profile, other)) << parameter.name;
  }
}

}  // namespace
}  // namespace wse::isa
