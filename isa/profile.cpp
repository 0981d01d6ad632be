// The profiles and the cost classes, expanded from their tables.
#include "isa/profile.h"

#include <fmt/format.h>

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
  std::uint32_t Profile::* slots;
  std::uint32_t Profile::* cycles;
  std::uint32_t Profile::* simd;
};

constexpr CostRow kCosts[] = {
#define COST(name, slots, cycles, simd, meaning) \
  {&Profile::slots, &Profile::cycles, &Profile::simd},
#include "isa/costs.def"
#undef COST
};

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
  const std::uint32_t rates[] = {p.simd_16bit,
                                 p.simd_32bit,
                                 p.simd_other,
                                 p.router_depth,
                                 p.bank_conflict_cycles,
                                 p.hop_latency_cycles,
                                 p.read_port_bytes,
                                 p.write_port_bytes,
                                 p.stride_odd_limit,

                                 p.stride_one_bank_limit,
                                 p.banks};
  for (const std::uint32_t rate : rates) {
    if (rate == 0) return fail(fmt::format("profile {}: a rate, depth or latency is 0", p.name));
  }
  return {};
}

Cost cost_of(const Profile& profile, CostClass cost) {
  const CostRow& row = kCosts[static_cast<int>(cost)];
  return {profile.*row.slots, profile.*row.cycles, profile.*row.simd};
}

}  // namespace wse::isa
