// The profiles and the cost classes, expanded from their tables.
#include "isa/machine/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/support/limits.h"

namespace wse::isa {
namespace {

struct Cm200Row {
  std::uint32_t Profile::* member;
  std::uint32_t cm200;
  std::uint32_t news;
  Origin origin;
};

constexpr Cm200Row kCm200[] = {
#define CM200(member, cm200, news, mark, source) {&Profile::member, cm200, news, {mark, source}},
#include "isa/machine/profile_cm200.def"
#undef CM200
};

// The rows of kCm200 are in the order of the parameters, none is there twice.
constexpr bool tables_agree() {
  std::size_t next = 0;
  for (const Cm200Row& row : kCm200) {
    while (next < std::size(kParameters) && kParameters[next].member != row.member) ++next;
    if (next++ == std::size(kParameters)) return false;
  }
  return true;
}
static_assert(tables_agree());

// The origin of a parameter without a row: a CM-200 has no such thing, or its papers do not say it.
constexpr Origin kAsModel = {"ours", "as `model`"};

Profile model() {
  return {
      .name = "model",
#define PARAMETER(member, unit, least, most, wse2, wse3, model, mark, source) .member = model,
#include "isa/machine/profile_parameters.def"
#undef PARAMETER
  };
}

// `column`: of kCm200.
Profile cm200(std::string_view name, std::uint32_t Cm200Row::* column) {
  Profile made = model();
  made.name = name;
  made.family = Family::Cm200;
  for (const Cm200Row& row : kCm200) made.*row.member = row.*column;
  return made;
}

const Profile kProfiles[] = {
    {
        .name = "wse2",
#define PARAMETER(member, unit, least, most, wse2, wse3, model, mark, source) .member = wse2,
#include "isa/machine/profile_parameters.def"
#undef PARAMETER
    },
    {
        .name = "wse3",
#define PARAMETER(member, unit, least, most, wse2, wse3, model, mark, source) .member = wse3,
#include "isa/machine/profile_parameters.def"
#undef PARAMETER
    },
    model(),
    cm200("cm200", &Cm200Row::cm200),
    cm200("cm200-news", &Cm200Row::news),
};

struct CostRow {
  std::string_view name;
  std::string_view meaning;
};

constexpr CostRow kCosts[] = {
#define COST(name, slots, cycles, simd, meaning) {#name, meaning},
#include "isa/instruction/costs.def"
#undef COST
};

// The format of images and the tables of tasks have room for them.
static_assert(info(&Profile::colours).most == kMaxColours);
static_assert(info(&Profile::switch_colours).most == (1u << kMaxColours) - 1);
static_assert(info(&Profile::switch_positions).most == kMaxPositions);
static_assert(info(&Profile::first_local_id).most == kLocalIds - 1);

// The parameters at their most, in more bits than they have: a price is a sum of some, and none may
// be more than its field holds.
struct Dearest {
#define PARAMETER(member, unit, least, most, ...) std::uint64_t member = most;
#include "isa/machine/profile_parameters.def"
#undef PARAMETER
};

constexpr std::uint64_t dearest_price() {
  const Dearest p;
  return std::max({
#define COST(name, slots, cycles, simd, meaning) \
  std::uint64_t{slots}, std::uint64_t{cycles}, std::uint64_t{simd},
#include "isa/instruction/costs.def"
#undef COST
  });
}
static_assert(dearest_price() <= std::numeric_limits<decltype(Cost::cycles)>::max());

Status check_bounds(const Profile& profile) {
  for (const ParameterInfo& parameter : kParameters) {
    const std::uint32_t value = profile.*parameter.member;
    if (value >= parameter.least && value <= parameter.most) continue;
    return fail(fmt::format("profile {}: {} {} must lie in {} ({})", profile.name, parameter.name,
                            number_text(parameter, value), range_text(parameter), parameter.unit));
  }
  return {};
}

// A wavelet keeps its place in a ramp for the latency and some cycles more.
Status check_ramp(const Profile& profile, std::uint32_t Profile::* depth, std::uint64_t more) {
  const std::uint64_t needed = profile.ramp_latency_cycles + more;
  if (profile.*depth >= needed) return {};
  return fail(
      fmt::format("profile {}: {} {} cannot carry one wavelet per cycle; it needs at least "
                  "ramp_latency_cycles + {} = {}",
                  profile.name, info(depth).name, profile.*depth, more, needed));
}

// No instruction holds the issue slot for longer than it takes.
Status check_costs(const Profile& profile) {
  for (std::size_t k = 0; k < kCostClassCount; ++k) {
    const auto [slots, cycles, simd] = cost_of(profile, static_cast<CostClass>(k));
    if (slots <= cycles) continue;
    return fail(fmt::format("profile {}: {} holds the issue slot for {} cycles and takes {}",
                            profile.name, kCosts[k].meaning, slots, cycles));
  }
  return {};
}

}  // namespace

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles) names.push_back(profile.name);
  return names;
}

std::optional<Profile> find_profile(std::string_view name) {
  for (const Profile& profile : kProfiles) {
    if (profile.name == name) return profile;
  }
  return std::nullopt;
}

const Origin& origin(Family family, const ParameterInfo& parameter) {
  if (family == Family::Wafer) return parameter.wafer;
  const auto* const row = std::ranges::find(kCm200, parameter.member, &Cm200Row::member);
  return row == std::end(kCm200) ? kAsModel : row->origin;
}

std::string number_text(const ParameterInfo& parameter, std::uint32_t value) {
  return parameter.is_mask() ? fmt::format("{:#x}", value) : fmt::format("{}", value);
}

std::string range_text(const ParameterInfo& parameter) {
  return fmt::format("{}..{}", number_text(parameter, parameter.least),
                     number_text(parameter, parameter.most));
}

Status check(const Profile& profile) {
  Status status = check_bounds(profile);
  if (status) status = check_ramp(profile, &Profile::up_ramp_depth, 2);
  if (status) status = check_ramp(profile, &Profile::down_ramp_depth, 1);
  if (status) status = check_costs(profile);
  return status;
}

Cost cost_of(const Profile& p, CostClass cost) {
  switch (cost) {
#define COST(name, slots, cycles, simd, meaning) \
  case CostClass::name: return {slots, cycles, simd};
#include "isa/instruction/costs.def"
#undef COST
  }
  return {};
}

std::string_view name_of(CostClass cost) { return kCosts[static_cast<int>(cost)].name; }
std::string_view meaning_of(CostClass cost) { return kCosts[static_cast<int>(cost)].meaning; }

}  // namespace wse::isa
