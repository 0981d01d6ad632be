// Looks for the period that covers most steps.
#include "vm/path/segments.h"

#include <algorithm>
#include <utility>

namespace wse::vm {
namespace {

constexpr std::size_t kLongest = 16;  // steps of a period
constexpr std::uint32_t kFewest = 3;  // times

// How far the step leads on the grid.
std::pair<std::int64_t, std::int64_t> way(const PathStep& step, const isa::Topology& mesh) {
  const auto along = [](std::uint32_t from, std::uint32_t to) {
    return std::int64_t{to} - std::int64_t{from};
  };
  return {along(mesh.x_of(step.from_pe), mesh.x_of(step.pe)),
          along(mesh.y_of(step.from_pe), mesh.y_of(step.pe))};
}

bool are_alike(const PathStep& a, const PathStep& b, const isa::Topology& mesh) {
  return a.kind == b.kind && a.cycles() == b.cycles() && a.colour == b.colour &&
         a.thread == b.thread && a.where == b.where && way(a, mesh) == way(b, mesh);
}

// How often the steps from `first` on repeat with that period.
std::uint32_t times_of(const std::vector<PathStep>& steps, std::size_t first, std::size_t period,
                       const isa::Topology& mesh) {
  std::size_t like = 0;
  while (first + period + like < steps.size() &&
         are_alike(steps[first + like], steps[first + period + like], mesh)) {
    ++like;
  }
  return static_cast<std::uint32_t>(like / period + 1);
}

}  // namespace

Cycle PathSegment::cycles() const {
  Cycle sum = 0;
  for (const PathStep& step : steps) sum += step.cycles();
  return sum * times;
}

std::vector<PathSegment> segments_of(const std::vector<PathStep>& steps,
                                     const isa::Topology& mesh) {
  std::vector<PathSegment> segments;
  for (std::size_t k = 0; k < steps.size();) {
    std::size_t best = 1;
    std::uint32_t best_times = 1;
    for (std::size_t period = 1; period <= std::min(kLongest, steps.size() - k); ++period) {
      const std::uint32_t times = times_of(steps, k, period, mesh);
      if (times < kFewest || times * period <= best_times * best) continue;
      best = period;
      best_times = times;
    }
    const auto first = steps.begin() + static_cast<std::ptrdiff_t>(k);
    segments.push_back({{first, first + static_cast<std::ptrdiff_t>(best)}, best_times});
    k += best * best_times;
  }
  return segments;
}

}  // namespace wse::vm
