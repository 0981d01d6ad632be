// Machines in steps, beside machines in one run.
#include "tests/differential/stops.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/runs.h"
#include "tests/support/random.h"
#include "vm/planes/refusal.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kComparedStops = 4;  // of a machine: each is a run of its own

// Most steps are short; some go far.
std::uint64_t step_of(test_support::Random& random, std::uint64_t cycles) {
  return 1 + random.below(random.one_in(3) ? static_cast<std::uint32_t>(cycles) + 1 : 8);
}

class Stepped {
 public:
  Stepped(const Generated& program, const Setup& setup, std::uint32_t seed)
      : program_(program), setup_(setup), random_(seed) {}

  // Returns the differences.
  std::string compare(vm::TransportChoice transport, std::uint32_t threads) {
    const differential::Way whole_way{program_.max_cycles(), threads, transport};
    const auto whole = run(setup_, whole_way);
    if (!whole) return whole.error().message;
    auto stepped = begin(setup_, whole_way);
    const std::uint64_t cycles = whole->record.cycles;
    std::uint32_t compared = 0;
    for (std::uint64_t until = step_of(random_, cycles);; until += step_of(random_, cycles)) {
      const vm::Stop stop = stepped->machine->advance(until);
      if (stop.is_over && stop.now != end_.value_or(stop.now)) {
        return fmt::format("  it ended in cycle {}, not {}: {}\n", stop.now, *end_,
                           whole_way.text());
      }
      if (stop.is_over) end_ = stop.now;
      if (stop.is_over || until >= program_.max_cycles()) break;
      if (compared >= kComparedStops || !random_.one_in(4)) continue;
      ++compared;
      const differential::Way way{until, threads, transport};
      stepped->record = stepped->machine->record();
      const std::string difference = compare_runs(*run(setup_, way), *stepped, way.text());
      if (!difference.empty()) return "stopped on the way:\n" + difference;
    }
    stepped->record = stepped->machine->record();
    return compare_runs(*whole, *stepped, "in steps, " + whole_way.text());
  }

  // Returns whether the traces of a run and of one in steps are the same lines.
  bool traces_alike() {
    const differential::Way way{program_.max_cycles(), program_.strips,
                                vm::TransportChoice::Stepper};
    std::string whole;
    std::string stepped;
    static_cast<void>(run(setup_, way, [&whole](std::string_view line) { whole += line; }));
    const auto machine = begin(setup_, way, [&stepped](std::string_view line) { stepped += line; });
    for (std::uint64_t until = 1; until < way.max_cycles + 100; until += 1 + random_.below(50)) {
      if (machine->machine->advance(until).is_over) break;
    }
    return whole == stepped;
  }

 private:
  const Generated& program_;
  const Setup& setup_;
  test_support::Random random_;
  std::optional<vm::Cycle> end_;  // where the machines stop by themselves, all in one cycle
};

}  // namespace

Comparison compare_stops(const Generated& program, std::uint32_t seed) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  Setup setup = setup_of(program, *image);
  setup.counts_lines = program.text.size() % 2 == 0;
  setup.slices = slices_of(program.text);
  comparison.left_to_stepper = vm::wafer::refusal(setup.image, setup.profile);
  Stepped stepped(program, setup, seed);
  for (const std::uint32_t threads : {1u, 3u}) {
    comparison.difference += stepped.compare(vm::TransportChoice::Stepper, threads);
    if (!comparison.left_to_stepper.empty()) continue;
    comparison.difference += stepped.compare(vm::TransportChoice::Wafer, threads);
  }
  if (!stepped.traces_alike()) comparison.difference += "  the trace in steps is another one\n";
  return comparison;
}

}  // namespace wse::differential
