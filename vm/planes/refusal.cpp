// Looks at what a program could ever ask for: nothing may be found out in the
// middle of a run.
#include "vm/planes/refusal.h"

#include <algorithm>

namespace wse::vm::wafer {
namespace {

// There is a plane for each place of a queue, and for each cycle on a link or
// ramp or in a gap.
constexpr std::uint32_t kMostDepth = 16;
constexpr std::uint32_t kMostLatency = 8;

bool counts_words(const isa::FilterShape& filter) {
  if (filter.kind == isa::FilterKind::None) return true;
  return filter.kind != isa::FilterKind::Range && filter.counts == isa::FilterCounts::Data &&
         !filter.control_filtered;
}

// Returns whether all filters count words, those that programs write too.
bool all_count_words(const isa::Image& image) {
  const auto count_words = [](const auto& filters) {
    return std::ranges::all_of(filters,
                               [](const auto& filter) { return counts_words(filter.shape); });
  };
  return count_words(image.filters) &&
         std::ranges::all_of(image.programs, [&](const isa::Program& program) {
           return count_words(program.filters);
         });
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
  if (profile.float_latency_cycles > 2) return "float arithmetic of more than two cycles";
  if (profile.bank_conflict_cycles > 2) return "bank conflicts of more than two cycles";
  return {};
}

}  // namespace

std::string refusal(const isa::Image& image, const isa::Profile& profile) {
  if (image.topology().is_hypercube()) return "a hypercube";
  if (!all_count_words(image)) {
    return "filters that look at words or at control wavelets";
  }
  if (!image.streams.empty()) return "streams";
  return of_profile(profile);
}

}  // namespace wse::vm::wafer
