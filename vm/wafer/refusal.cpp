// Looks at what a program could ever ask for: nothing may be found out in the
// middle of a run.
#include "vm/wafer/refusal.h"

#include <algorithm>

namespace wse::vm::wafer {
namespace {

// There is a plane for each place of a queue, and for each cycle on a link or
// ramp or in a gap.
constexpr std::uint32_t kMostDepth = 16;
constexpr std::uint32_t kMostLatency = 8;

bool counts_words(const isa::Filter& filter) {
  const bool counts =
      filter.shape.kind == isa::FilterKind::Counter || filter.shape.kind == isa::FilterKind::Sparse;
  return counts && filter.shape.counts == isa::FilterCounts::Data && !filter.shape.control_filtered;
}

std::string of_profile(const isa::Profile& profile) {
  if (profile.link_interval_cycles > 1) return "links that are not free in every cycle";
  const std::uint32_t deepest =
      std::max({profile.router_depth, profile.up_ramp_depth, profile.down_ramp_depth});
  if (deepest > kMostDepth) return "queues of more than 16 wavelets";
  if (std::max(profile.hop_latency_cycles, profile.ramp_latency_cycles) > kMostLatency) {
    return "links or ramps that take more than 8 cycles";
  }
  if (profile.map_gap_cycles > kMostLatency) return "gaps of more than 8 cycles";
  if (profile.bank_conflict_cycles > 2) return "bank conflicts of more than two cycles";
  return {};
}

}  // namespace

std::string refusal(const isa::Image& image, const isa::Profile& profile) {
  if (image.topology().is_hypercube()) return "a hypercube";
  if (!std::ranges::all_of(image.filters, counts_words)) {
    return "filters that look at words or at control wavelets";
  }
  if (!image.streams.empty()) return "streams";
  if (std::string reason = of_profile(profile); !reason.empty()) return reason;
  const bool writes_filters = std::ranges::any_of(
      image.programs, [](const isa::Program& program) { return !program.filters.empty(); });
  return writes_filters ? "filters that programs write" : "";
}

}  // namespace wse::vm::wafer
