// Intervals: how far the constants of a profile may be moved before a measured row contradicts
// them, and the two profiles at the ends of all of them.
//
// Only times have intervals. A machine never sees one: it gets a profile, whose numbers are single.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "isa/machine/profile.h"
#include "isa/support/result.h"

namespace wse::isa {

// Cycles, both ends included.
struct Interval {
  std::uint32_t low = 0;
  std::uint32_t high = 0;

  bool holds(std::uint64_t value) const { return low <= value && value <= high; }
  bool operator==(const Interval&) const = default;
};

// Intervals of one profile by the names of its parameters, which are names of kParameters.
using Intervals = std::map<std::string_view, Interval>;

struct MeasuredProfile {
  Profile profile;
  Intervals intervals;
};

enum class End : std::uint8_t { Low, High };
inline constexpr End kEnds[] = {End::Low, End::High};

constexpr std::string_view text(End end) { return end == End::Low ? "low" : "high"; }

// The profile with each constant that has an interval at the low, or the high, end of it.
struct EndProfiles {
  Profile low;
  Profile high;

  const Profile& at(End end) const { return end == End::Low ? low : high; }
};

// Whether the parameter is a time.
bool may_have_interval(const ParameterInfo& parameter);

// "0..30".
std::string interval_text(const Interval& interval);

// The profile of that name with its intervals, or nothing.
std::optional<MeasuredProfile> find_measured_profile(std::string_view name);

// Errors: constants that do not go together at an end, with that end.
Result<EndProfiles> end_profiles(const MeasuredProfile& measured);

// Whether all parameters are alike, whatever the names of the profiles.
bool same_numbers(const Profile& one, const Profile& other);

}  // namespace wse::isa
