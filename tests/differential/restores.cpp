// States of both transports, from one machine to another.
#include "tests/differential/restores.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/runs.h"
#include "tests/support/random.h"
#include "vm/planes/refusal.h"
#include "vm/run/machine_state.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kStates = 4;  // that are taken up, of a program

class Restored {
 public:
  Restored(const Generated& program, const Setup& setup, std::uint32_t seed)
      : program_(program), setup_(setup), random_(seed) {}

  // Returns the differences.
  std::string compare() {
    const auto whole = run(setup_, way_of(1), into(whole_trace_));
    if (!whole) return {};  // the same
    std::ranges::sort(whole_trace_);
    const std::uint64_t cycles = whole->record.cycles;
    for (std::uint32_t k = 0; k < kStates; ++k) {
      const std::uint64_t at = 1 + random_.below(static_cast<std::uint32_t>(cycles) + 1);
      const std::string difference = take_up(*whole, at);
      if (!difference.empty()) return fmt::format("  taken up at cycle {}:\n{}", at, difference);
    }
    return {};
  }

 private:
  using Lines = std::vector<std::string>;

  Trace into(Lines& lines) const {
    if (!is_traced_) return {};
    return [&lines](std::string_view line) { lines.emplace_back(line); };
  }
  differential::Way way_of(std::uint32_t threads) const {
    return {program_.max_cycles(), threads, vm::TransportChoice::Stepper};
  }
  // Machines that write their state: a traced one cannot move wavelets as planes.
  differential::Way writing_way(std::uint32_t threads) {
    differential::Way way = way_of(threads);
    if (has_planes_ && random_.one_in(2)) way.transport = vm::TransportChoice::Wafer;
    return way;
  }
  std::uint32_t threads() { return 1 + random_.below(3); }

  std::string take_up(const Run& whole, std::uint64_t at) {
    const std::uint32_t before = threads();
    const std::uint32_t after = threads();
    Lines trace;
    const differential::Way writing = writing_way(before);
    auto first = begin(setup_, writing, into(trace));
    if (first->machine->advance(at).is_over) return {};
    vm::StateWriter writer;
    vm::MachineState(*first->machine).write(writer);
    differential::Way taking = way_of(after);  // it takes the stepper, whatever it began with
    if (has_planes_ && random_.one_in(3)) taking.transport = vm::TransportChoice::Wafer;
    auto second = begin(setup_, taking, into(trace));
    vm::StateReader reader(writer.written());
    if (!vm::MachineState(*second->machine).read(reader)) return "  the state is refused\n";
    const std::uint64_t between = at + 1 + random_.below(64);
    const bool is_over = second->machine->advance(between).is_over;
    if (!is_over && between < program_.max_cycles()) {
      second->record = second->machine->record();
      differential::Way way = way_of(1);
      way.max_cycles = between;
      const std::string difference = compare_runs(*run(setup_, way), *second, way.text());
      if (!difference.empty()) return "  stopped after that:\n" + difference;
      second->machine->advance(program_.max_cycles());
    }
    second->record = second->machine->record();
    if (std::string difference = trace_difference(trace); !difference.empty()) return difference;
    first->machine->advance(program_.max_cycles());
    first->record = first->machine->record();
    return compare_runs(
               whole, *second,
               fmt::format("written by {}, taken up on {} threads", writing.text(), after)) +
           compare_runs(whole, *first, "written by " + writing.text());
  }

  // A trace up to a checkpoint and from there on is one of the whole run. Within a cycle strips
  // tell theirs in any order.
  std::string trace_difference(Lines trace) const {
    std::ranges::sort(trace);
    const auto [wanted, found] = std::ranges::mismatch(whole_trace_, trace);
    if (wanted == whole_trace_.end() && found == trace.end()) return {};
    return fmt::format("  the trace has {}, not {}\n", found == trace.end() ? "an end" : *found,
                       wanted == whole_trace_.end() ? "an end" : *wanted);
  }

  const Generated& program_;
  const Setup& setup_;
  test_support::Random random_;
  bool is_traced_ = random_.one_in(3);
  bool has_planes_ = !is_traced_ && vm::wafer::refusal(setup_.image, setup_.profile).empty();
  Lines whole_trace_;
};

}  // namespace

Comparison compare_restores(const Generated& program, std::uint32_t seed) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  Setup setup = setup_of(program, *image);
  setup.counts_lines = seed % 2 == 0;
  setup.slices = slices_of(program.text);
  comparison.difference = Restored(program, setup, seed).compare();
  return comparison;
}

}  // namespace wse::differential
