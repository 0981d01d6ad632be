// A run and its path, at its end and on the way.
#include "tests/differential/paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/runs.h"
#include "tests/support/random.h"
#include "vm/path/critical_path.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kLimits = 3;  // of a program, before its end

// Returns what is wrong with the steps.
std::string wrong_steps(const vm::CriticalPath& path, vm::Cycle cycles) {
  if (path.cycles != cycles) return fmt::format("  {} cycles, path {}\n", cycles, path.cycles);
  vm::Cycle now = 0;
  for (const vm::PathStep& step : path.steps) {
    if (step.from != now || step.to <= step.from) {
      return fmt::format("  a step from {} to {} follows one that ends in {}\n", step.from, step.to,
                         now);
    }
    now = step.to;
  }
  if (now != cycles) return fmt::format("  the last step ends in {}, not {}\n", now, cycles);
  if (path.next && *path.next > path.cycles) return "  another path is longer\n";
  if (path.unexplained > 0) {
    return fmt::format("  {} events waited for nothing that is known\n", path.unexplained);
  }
  return {};
}

std::string path_difference(const Setup& setup, std::uint64_t limit) {
  const auto plain = run(setup, {limit, 1, vm::TransportChoice::Stepper});
  const auto found = run_with_path(setup, limit);
  if (!plain || !found) return {};
  std::string difference = compare_runs(*plain, *found, "with a path");
  const vm::Cycle cycles = found->record.cycles;
  const auto path = vm::critical_path(*found->machine, cycles);
  if (path) difference += wrong_steps(*path, cycles);
  if (!path && cycles > 0) difference += fmt::format("  no path of {} cycles\n", cycles);
  return difference.empty() ? "" : fmt::format("  at most {} cycles:\n{}", limit, difference);
}

}  // namespace

Comparison compare_paths(const Generated& program, std::uint32_t seed) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  const Setup setup{.image = *image,
                    .profile = program.profile,
                    .jitter = program.jitter,
                    .words = stream_words(*image)};
  comparison.difference = path_difference(setup, program.max_cycles());
  const auto whole = run(setup, {program.max_cycles(), 1, vm::TransportChoice::Stepper});
  test_support::Random random(seed);
  for (std::uint32_t k = 0; whole && k < kLimits && comparison.difference.empty(); ++k) {
    const vm::Cycle limit = 1 + random.below(static_cast<std::uint32_t>(whole->record.cycles + 1));
    comparison.difference = path_difference(setup, limit);
  }
  return comparison;
}

}  // namespace wse::differential
