// Pairs of runs.
#include "tests/differential/with_cohorts.h"

#include "tests/differential/runs.h"
#include "tests/support/random.h"
#include "vm/planes/refusal.h"

namespace wse::differential {
namespace {

// Runs to the limit twice. Returns the cycles of the run without cohorts.
std::uint64_t compare_pair(const Setup& setup, differential::Way way, Comparison& comparison) {
  differential::Way alone = way;
  alone.threads = 1;
  alone.cohorts = false;
  const auto expected = run(setup, alone);
  if (!expected) {
    comparison.difference += expected.error().message;
    return 0;
  }
  const auto found = run(setup, way);
  comparison.joined_visits += found->machine->joined_visits();
  comparison.strips = std::max(comparison.strips, found->record.threads);
  comparison.difference += compare_runs(*expected, *found, way.text());
  return expected->record.cycles;
}

}  // namespace

Comparison compare_cohorts(const Generated& program, std::uint32_t seed) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  Setup setup = setup_of(program, *image);
  setup.counts_lines = seed % 2 == 0;
  setup.slices = slices_of(program.text);
  comparison.left_to_stepper = vm::wafer::refusal(setup.image, setup.profile);
  test_support::Random random(seed);
  differential::Way way{program.max_cycles(), 1 + random.below(3), vm::TransportChoice::Stepper};
  if (comparison.left_to_stepper.empty() && random.one_in(2)) {
    way.transport = vm::TransportChoice::Wafer;
  }
  const std::uint64_t cycles = compare_pair(setup, way, comparison);
  if (cycles < 2 || !random.one_in(4)) return comparison;
  way.max_cycles = 1 + random.below(static_cast<std::uint32_t>(cycles));
  compare_pair(setup, way, comparison);
  return comparison;
}

}  // namespace wse::differential
