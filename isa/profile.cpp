// The profiles and the cost classes, expanded from their tables.
#include "isa/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/fabric.h"

namespace wse::isa {
namespace {

constexpr ParameterInfo kParameters[] = {
#define PARAMETER(member, unit, wse2, model, mark, source) \
  {#member, unit, mark, source, &Profile::member},
#include "isa/profile_parameters.def"
#undef PARAMETER
};

const Profile kWse2{
    .name = "wse2",
#define PARAMETER(member, unit, wse2, model, mark, source) .member = wse2,
#include "isa/profile_parameters.def"
#undef PARAMETER
};

const Profile kModel{
    .name = "model",
#define PARAMETER(member, unit, wse2, model, mark, source) .member = model,
#include "isa/profile_parameters.def"
#undef PARAMETER
};

struct CostRow {
  std::string_view name;
  std::string_view meaning;
  std::uint32_t Profile::* slots;
  std::uint32_t Profile::* cycles;
  std::uint32_t Profile::* simd;
};

constexpr CostRow kCosts[] = {
#define COST(name, slots, cycles, simd, meaning) \
  {#name, meaning, &Profile::slots, &Profile::cycles, &Profile::simd},
#include "isa/costs.def"
#undef COST
};

constexpr std::uint32_t kUnlimited = ~0u;

struct Range {
  std::uint32_t Profile::* member;
  std::uint32_t least;
  std::uint32_t most;
};

constexpr Range kRanges[] = {
    {&Profile::zero, 0, 0},
    {&Profile::banks, 2, kUnlimited},
    {&Profile::colours, 1, kMaxColours},
    {&Profile::switch_positions, 1, kMaxPositions},
    {&Profile::switch_position_sides, 1, 2},
    {&Profile::input_queues, 1, 32},
    {&Profile::output_queues, 1, 32},
    {&Profile::stretch_instructions, 1, kUnlimited},
    {&Profile::clock_mhz, 1, kUnlimited},
    {&Profile::hop_latency_cycles, 1, kUnlimited},
    {&Profile::link_interval_cycles, 1, kUnlimited},
    {&Profile::router_depth, 1, kUnlimited},
    {&Profile::arbitration, 0, 1},
    {&Profile::issue, 0, 1},
    {&Profile::simd_16bit, 1, kUnlimited},
    {&Profile::simd_32bit, 1, kUnlimited},
    {&Profile::simd_other, 1, kUnlimited},
    {&Profile::read_port_bytes, 1, kUnlimited},
    {&Profile::write_port_bytes, 1, kUnlimited},
    {&Profile::stride_one_bank_limit, 1, kUnlimited},
    {&Profile::stride_odd_limit, 1, kUnlimited},
    {&Profile::bank_conflict_cycles, 1, kUnlimited},
};

std::string_view name_of(std::uint32_t Profile::* member) {
  return std::ranges::find(kParameters, member, &ParameterInfo::member)->name;
}

}  // namespace

std::span<const ParameterInfo> profile_parameters() { return kParameters; }

std::vector<std::string> profile_names() { return {kWse2.name, kModel.name}; }

std::optional<Profile> find_profile(std::string_view name) {
  if (name == kWse2.name) return kWse2;
  if (name == kModel.name) return kModel;
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
  return {};
}

Cost cost_of(const Profile& profile, CostClass cost) {
  const CostRow& row = kCosts[static_cast<int>(cost)];
  return {profile.*row.slots, profile.*row.cycles, profile.*row.simd};
}

std::string_view name_of(CostClass cost) { return kCosts[static_cast<int>(cost)].name; }
std::string_view meaning_of(CostClass cost) { return kCosts[static_cast<int>(cost)].meaning; }

}  // namespace wse::isa
