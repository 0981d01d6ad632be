// The intervals of the profiles, from their table.
#include "isa/machine/interval.h"

#include <fmt/format.h>

#include <algorithm>

namespace wse::isa {
namespace {

struct IntervalRow {
  std::string_view profile;
  std::string_view parameter;
  Interval interval;
};

constexpr IntervalRow kIntervals[] = {
#define INTERVAL(profile, member, low, high) {#profile, info(&Profile::member).name, {low, high}},
#include "isa/machine/profile_intervals.def"
#undef INTERVAL
};

Profile at_end(const MeasuredProfile& measured, End end) {
  Profile profile = measured.profile;
  for (const ParameterInfo& parameter : kParameters) {
    const auto found = measured.intervals.find(parameter.name);
    if (found == measured.intervals.end()) continue;
    profile.*parameter.member = end == End::Low ? found->second.low : found->second.high;
  }
  return profile;
}

}  // namespace

bool may_have_interval(const ParameterInfo& parameter) {
  return parameter.unit.starts_with("cycles");
}

std::string interval_text(const Interval& interval) {
  return fmt::format("{}..{}", interval.low, interval.high);
}

std::optional<MeasuredProfile> find_measured_profile(std::string_view name) {
  std::optional<Profile> profile = find_profile(name);
  if (!profile) return std::nullopt;
  MeasuredProfile found{std::move(*profile), {}};
  for (const IntervalRow& row : kIntervals) {
    if (row.profile == name) found.intervals.emplace(row.parameter, row.interval);
  }
  return found;
}

Result<EndProfiles> end_profiles(const MeasuredProfile& measured) {
  EndProfiles ends{at_end(measured, End::Low), at_end(measured, End::High)};
  for (const End end : kEnds) {
    const Status status = check(ends.at(end));
    if (status) continue;
    return fail(fmt::format("{}, with every constant at the {} end of its interval", status.error(),
                            text(end)));
  }
  return ends;
}

bool same_numbers(const Profile& one, const Profile& other) {
  return std::ranges::all_of(kParameters, [&](const ParameterInfo& parameter) {
    return one.*parameter.member == other.*parameter.member;
  });
}

}  // namespace wse::isa
