// The profiles and the cost classes, expanded from their tables.
#include "isa/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/image.h"

namespace wse::isa {
namespace {

constexpr ParameterInfo kParameters[] = {
#define PARAMETER(member, unit, wse2, wse3, model, mark, source) \
  {#member, unit, mark, source, &Profile::member},
#include "isa/profile_parameters.def"
#undef PARAMETER
};

const Profile kProfiles[] = {
    {
        .name = "wse2",
#define PARAMETER(member, unit, wse2, wse3, model, mark, source) .member = wse2,
#include "isa/profile_parameters.def"
#undef PARAMETER
    },
    {
        .name = "wse3",
#define PARAMETER(member, unit, wse2, wse3, model, mark, source) .member = wse3,
#include "isa/profile_parameters.def"
#undef PARAMETER
    },
    {
        .name = "model",
#define PARAMETER(member, unit, wse2, wse3, model, mark, source) .member = model,
#include "isa/profile_parameters.def"
#undef PARAMETER
    },
};

struct CostRow {
  std::string_view name;
  std::string_view meaning;
};

constexpr CostRow kCosts[] = {
#define COST(name, slots, cycles, simd, meaning) {#name, meaning},
#include "isa/costs.def"
#undef COST
};

constexpr std::uint32_t kUnlimited = ~0u;
constexpr std::uint32_t kMostCycles = 1u << 24;  // of one step: sums of a few have room in 32 bits

struct Range {
  std::uint32_t Profile::* member;
  std::uint32_t least;
  std::uint32_t most;
};

constexpr Range kRanges[] = {
    {&Profile::banks, 2, kUnlimited},
    {&Profile::colours, 1, kMaxColours},
    {&Profile::switch_positions, 1, kMaxPositions},
    {&Profile::switch_position_sides, 1, 2},
    {&Profile::input_queues, 1, 32},
    {&Profile::output_queues, 1, 32},
    {&Profile::queue_colours, 0, 1},
    {&Profile::fabric_inputs, 1, kUnlimited},
    {&Profile::data_task_ids, 0, 1},
    {&Profile::first_local_id, 0, kLocalIds - 1},
    {&Profile::stretch_instructions, 1, kUnlimited},
    {&Profile::clock_mhz, 1, kUnlimited},
    {&Profile::hop_latency_cycles, 1, kUnlimited},
    {&Profile::link_interval_cycles, 1, kUnlimited},
    {&Profile::router_depth, 1, kUnlimited},
    {&Profile::arbitration, 0, 1},
    {&Profile::issue, 0, 1},
    {&Profile::simd_16bit, 1, kUnlimited},
    {&Profile::simd_32bit, 1, kUnlimited},
    {&Profile::simd_extra_16bit, 1, kUnlimited},
    {&Profile::simd_extra_32bit, 1, kUnlimited},
    {&Profile::simd_other, 1, kUnlimited},
    {&Profile::read_port_bytes, 1, kUnlimited},
    {&Profile::write_port_bytes, 1, kUnlimited},
    {&Profile::stride_one_bank_limit, 1, kUnlimited},
    {&Profile::stride_odd_limit, 1, kUnlimited},
    {&Profile::bank_conflict_cycles, 1, kUnlimited},
    {&Profile::vector_start_cycles, 0, kMostCycles},
    {&Profile::vector_drain_cycles, 0, kMostCycles},
    {&Profile::task_start_cycles, 0, kMostCycles},
    {&Profile::descriptor_load_cycles, 0, kMostCycles},
    {&Profile::simple_cycles, 0, kMostCycles},
    {&Profile::load_cycles, 0, kMostCycles},
    {&Profile::branch_taken_cycles, 0, kMostCycles},
    {&Profile::tsc_read_cycles, 0, kMostCycles},
    {&Profile::divide_cycles, 0, kMostCycles},
};

std::string_view name_of(std::uint32_t Profile::* member) {
  return std::ranges::find(kParameters, member, &ParameterInfo::member)->name;
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

std::span<const ParameterInfo> profile_parameters() { return kParameters; }

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

Status check(const Profile& p) {
  if (p.up_ramp_depth < p.ramp_latency_cycles + 2) {
    return fail(
        fmt::format("profile {}: up_ramp_depth {} cannot carry one wavelet per cycle; "
                    "it needs at least ramp_latency_cycles + 2 = {}",
                    p.name, p.up_ramp_depth, p.ramp_latency_cycles + 2));
  }
  if (p.down_ramp_depth < p.ramp_latency_cycles + 1) {
    return fail(
        fmt::format("profile {}: down_ramp_depth {} cannot carry one wavelet per cycle; "
                    "it needs at least ramp_latency_cycles + 1 = {}",
                    p.name, p.down_ramp_depth, p.ramp_latency_cycles + 1));
  }
  for (const Range& limit : kRanges) {
    const std::uint32_t value = p.*limit.member;
    if (value < limit.least || value > limit.most) {
      const bool open = limit.most == kUnlimited;
      return fail(fmt::format("profile {}: {} {} must {}", p.name, name_of(limit.member), value,
                              open ? fmt::format("be at least {}", limit.least)
                                   : fmt::format("lie in {}..{}", limit.least, limit.most)));
    }
  }
  return check_costs(p);
}

Cost cost_of(const Profile& p, CostClass cost) {
  switch (cost) {
#define COST(name, slots, cycles, simd, meaning) \
  case CostClass::name: return {slots, cycles, simd};
#include "isa/costs.def"
#undef COST
  }
  return {};
}

std::string_view name_of(CostClass cost) { return kCosts[static_cast<int>(cost)].name; }
std::string_view meaning_of(CostClass cost) { return kCosts[static_cast<int>(cost)].meaning; }

}  // namespace wse::isa
