// A run and its path, at its end and on the way.
#include "tests/differential/paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/conditions.h"
#include "tests/differential/runs.h"
#include "tests/oracle/machine.h"
#include "tests/support/random.h"
#include "vm/path/critical_path.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kLimits = 3;                       // of a program, before its end
constexpr std::size_t kWindows[] = {8, 32, vm::kNoEvent};  // the last one: nothing is forgotten

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

JudgedSteps judge(const Setup& setup, const vm::CriticalPath& path, std::uint64_t limit) {
  const oracle::Jitter jitter =
      setup.jitter ? oracle::Jitter{setup.jitter->seed, setup.jitter->cycles} : oracle::Jitter();
  const oracle::Outcome outcome =
      oracle::run(setup.image, setup.profile, setup.words, limit, jitter);
  return judge_steps(path, outcome);
}

// Returns the differences, sets `cycles` to those of the run, and counts the steps that are judged.
std::string path_difference(const Setup& setup, std::uint64_t limit, vm::Cycle& cycles,
                            std::size_t& judged) {
  const auto plain = run(setup, {limit, 1, vm::TransportChoice::Stepper});
  const auto found = run_with_path(setup, limit);
  if (!plain || !found) return {};
  std::string difference = compare_runs(*plain, *found, "with a path");
  cycles = found->record.cycles;
  const auto path = vm::critical_path(*found->machine, cycles);
  for (const std::size_t window : kWindows) {
    const auto again = run_with_path(setup, limit, window);
    if (again && vm::critical_path(*again->machine, cycles) == path) continue;
    difference += fmt::format("  another path if {} events are kept\n", window);
  }
  if (path) {
    const JudgedSteps steps = judge(setup, *path, limit);
    difference += wrong_steps(*path, cycles) + steps.difference;
    judged += steps.judged;
  }
  if (!path && cycles > 0) difference += fmt::format("  no path of {} cycles\n", cycles);
  return difference.empty() ? "" : fmt::format("  at most {} cycles:\n{}", limit, difference);
}

}  // namespace

Comparison compare_paths(const Generated& program, std::uint32_t seed) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  const Setup setup = setup_of(program, *image);
  vm::Cycle cycles = 0;
  comparison.difference =
      path_difference(setup, program.max_cycles(), cycles, comparison.judged_steps);
  const auto most = static_cast<std::uint32_t>(cycles + 1);
  test_support::Random random(seed);
  for (std::uint32_t k = 0; k < kLimits && comparison.difference.empty(); ++k) {
    comparison.difference =
        path_difference(setup, 1 + random.below(most), cycles, comparison.judged_steps);
  }
  return comparison;
}

}  // namespace wse::differential
