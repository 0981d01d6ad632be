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

class Restored {
 public:
  Restored(const Generated& program, const Setup& setup, std::uint32_t seed)
      : program_(program), setup_(setup), random_(seed) {}

  // Returns the differences.
  std::string compare(std::uint32_t states) {
    const auto whole = run(setup_, way_of(1));
    if (!whole || whole->record.cycles == 0) return {};  // none is written before its end
    const auto cycles = static_cast<std::uint32_t>(whole->record.cycles);
    for (std::uint32_t k = 0; k < 2 * states && counts_.states < states; ++k) {  // some are over
      is_traced_ = random_.one_in(3);
      const std::uint64_t at = 1 + random_.below(cycles);
      const std::string difference = take_up(*whole, at);
      if (!difference.empty()) return fmt::format("  taken up at cycle {}:\n{}", at, difference);
    }
    counts_.programs = counts_.states > 0 ? 1 : 0;
    return {};
  }
  const RestoreCounts& counts() const { return counts_; }

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
    if (has_planes() && !random_.one_in(4)) way.transport = vm::TransportChoice::Wafer;
    return way;
  }
  bool has_planes() const { return !is_traced_ && planes_take_it_; }
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
    differential::Way taking = way_of(after);
    if (has_planes() && !random_.one_in(4)) taking.transport = vm::TransportChoice::Wafer;
    auto second = begin(setup_, taking, into(trace));
    vm::StateReader reader(writer.written());
    if (!vm::MachineState(*second->machine).read(reader)) return "  the state is refused\n";
    const bool is_from_planes = writing.transport == vm::TransportChoice::Wafer;
    const bool is_on_planes = is_from_planes && taking.transport == vm::TransportChoice::Wafer;
    if (vm::MachineState(*second->machine).has_planes() != is_on_planes) {
      return "  planes take up what planes have written, and nothing else\n";
    }
    ++counts_.states;
    counts_.from_planes += is_from_planes ? 1 : 0;
    counts_.on_planes += is_on_planes ? 1 : 0;
    counts_.traced += is_traced_ ? 1 : 0;
    const std::string ways =
        fmt::format("written by {}, taken up by {}", writing.text(), taking.text());
    const std::uint64_t between = at + 1 + random_.below(64);
    const bool is_over = second->machine->advance(between).is_over;
    if (!is_over && between < program_.max_cycles()) {
      second->record = second->machine->record();
      differential::Way way = way_of(1);
      way.max_cycles = between;
      const std::string difference = compare_runs(*run(setup_, way), *second, way.text());
      if (!difference.empty()) {
        return fmt::format("  {}, stopped after that:\n{}", ways, difference);
      }
      second->machine->advance(program_.max_cycles());
    }
    second->record = second->machine->record();
    if (is_traced_) {
      if (std::string difference = trace_difference(trace); !difference.empty()) return difference;
    }
    first->machine->advance(program_.max_cycles());
    first->record = first->machine->record();
    return compare_runs(whole, *second, ways) +
           compare_runs(whole, *first, "written by " + writing.text());
  }

  // A trace up to a checkpoint and from there on is one of the whole run. Within a cycle strips
  // tell theirs in any order.
  std::string trace_difference(Lines trace) {
    std::ranges::sort(trace);
    const Lines& whole = whole_trace();
    const auto [wanted, found] = std::ranges::mismatch(whole, trace);
    if (wanted == whole.end() && found == trace.end()) return {};
    return fmt::format("  the trace has {}, not {}\n", found == trace.end() ? "an end" : *found,
                       wanted == whole.end() ? "an end" : *wanted);
  }
  const Lines& whole_trace() {
    if (whole_trace_.empty()) {
      static_cast<void>(run(setup_, way_of(1), into(whole_trace_)));
      std::ranges::sort(whole_trace_);
    }
    return whole_trace_;
  }

  const Generated& program_;
  const Setup& setup_;
  test_support::Random random_;
  bool is_traced_ = false;  // machines of this state
  bool planes_take_it_ = vm::wafer::refusal(setup_.image, setup_.profile).empty();
  Lines whole_trace_;  // sorted; empty until it is asked for
  RestoreCounts counts_;
};

}  // namespace

Comparison compare_restores(const Generated& program, std::uint32_t seed, std::uint32_t states) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  Setup setup = setup_of(program, *image);
  setup.counts_lines = seed % 2 == 0;
  setup.slices = slices_of(program.text);
  Restored restored(program, setup, seed);
  comparison.difference = restored.compare(states);
  comparison.restores = restored.counts();
  return comparison;
}

}  // namespace wse::differential
