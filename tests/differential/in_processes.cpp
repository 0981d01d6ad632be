// Each process writes down its share of the machine, and its lines of the trace.
#include "tests/differential/in_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/differential/states_in_processes.h"
#include "tests/support/processes.h"
#include "vm/run/joined_machine.h"
#include "vm/run/machine_state.h"
#include "vm/run/share.h"
#include "vm/support/state_archive.h"

namespace wse::differential {
namespace {

// The end of a run in one process.
struct Part {
  bool has_strips = false;
  vm::MessageBytes share;
  std::vector<vm::MessageBytes> symbols;  // what they hold
  std::vector<std::string> trace;
  std::vector<std::string> prints;

  template <class Archive>
  void pass(Archive& archive) {
    archive.number(has_strips);
    const auto pass_bytes = [&](vm::MessageBytes& bytes) {
      archive.list(bytes, 1, [&](std::byte& byte) { archive.number(byte); });
    };
    pass_bytes(share);
    archive.list(symbols, 1, pass_bytes);
    archive.list(trace, 1, [&](std::string& line) { archive.text(line); });
    archive.list(prints, 1, [&](std::string& line) { archive.text(line); });
  }
};

bool tells_trap(const std::string& line) { return line.contains("\"event\":\"trap\""); }

// Within a cycle strips tell their lines in any order. Of traps the first one alone is told by one
// process.
std::string compare_traces(std::vector<std::string> wanted, std::vector<std::string> found) {
  for (std::vector<std::string>* const lines : {&wanted, &found}) {
    std::erase_if(*lines, tells_trap);
    std::ranges::sort(*lines);
  }
  const auto [expected, told] = std::ranges::mismatch(wanted, found);
  if (expected == wanted.end() && told == found.end()) return {};
  return fmt::format("  the trace has {}, not {}\n", told == found.end() ? "an end" : *told,
                     expected == wanted.end() ? "an end" : *expected);
}

std::string compare_prints(const std::vector<std::string>& wanted,
                           const std::vector<std::string>& found) {
  const auto [expected, told] = std::ranges::mismatch(wanted, found);
  if (expected == wanted.end() && told == found.end()) return {};
  return fmt::format("  prints {}, not {}\n", told == found.end() ? "nothing more" : *told,
                     expected == wanted.end() ? "nothing more" : *expected);
}

// Compares all that the state of each PE shows.
std::string compare_shown_states(const vm::Machine& wanted, const vm::Machine& found) {
  std::string difference;
  for (std::uint32_t y = 0; y < wanted.image().height; ++y) {
    for (std::uint32_t x = 0; x < wanted.image().width; ++x) {
      const auto left = wanted.pe_state(x, y);
      const auto right = found.pe_state(x, y);
      if (left == right) continue;
      const auto [expected, shown] = std::ranges::mismatch(left, right);
      if (expected == left.end() || shown == right.end()) {
        difference += fmt::format("  PE({}, {}) shows another number of things\n", x, y);
        continue;
      }
      difference += fmt::format("  PE({}, {}): {} {}, not {} {}\n", x, y, shown->first,
                                shown->second, expected->first, expected->second);
    }
  }
  return difference;
}

std::vector<std::string> symbols_of(const isa::Image& image) {
  std::vector<std::string> names;
  for (const isa::Program& program : image.programs) {
    for (const isa::Symbol& symbol : program.symbols) names.push_back(symbol.name);
  }
  std::ranges::sort(names);
  const auto again = std::ranges::unique(names);
  names.erase(again.begin(), again.end());
  return names;
}

// `state`: to begin with; empty: from the beginning.
Part part_of(const Setup& setup, const Way& way, vm::ProcessMedium& medium, bool is_traced,
             std::span<const std::byte> state = {}) {
  Part part;
  Way here = way;
  here.medium = &medium;
  here.prints = &part.prints;
  const auto trace = [&part](std::string_view line) { part.trace.emplace_back(line); };
  const auto run = begin(setup, here, is_traced ? Trace(trace) : Trace());
  if (!run) throw std::runtime_error(run.error().message);
  part.has_strips = !vm::Share(*run->machine).pes().empty();
  if (!state.empty()) {
    vm::StateReader reader(state);
    if (!vm::MachineState(*run->machine).read(reader)) throw std::runtime_error("no such state");
  }
  if (part.has_strips) run->machine->advance(way.max_cycles);
  part.share = vm::JoinedMachine::share_of(*run->machine, {});  // which tells all without memory
  for (const std::string& symbol : symbols_of(run->machine->image())) {
    part.symbols.push_back(vm::JoinedMachine::symbol_of(*run->machine, symbol));
  }
  return part;
}

// The run on one thread that others must equal.
struct Whole {
  Part told;
  std::optional<Run> run;
};

Whole whole_run(const Setup& setup, const Way& way, bool is_traced) {
  Whole whole;
  Way alone = way;
  alone.threads = 1;
  alone.prints = &whole.told.prints;
  const auto trace = [&whole](std::string_view line) { whole.told.trace.emplace_back(line); };
  whole.run = std::move(*run(setup, alone, is_traced ? Trace(trace) : Trace()));
  return whole;
}

using Results = std::vector<test_support::Processes::Result>;

std::unique_ptr<vm::Machine> join(std::unique_ptr<vm::Machine> own, const std::vector<Part>& parts,
                                  std::string& difference) {
  const std::vector<std::string> symbols = symbols_of(own->image());
  auto joined =
      vm::JoinedMachine::begin(std::move(own), static_cast<std::uint32_t>(parts.size()), {});
  for (const Part& part : parts) {
    const isa::Attempt<void> added = joined->add(part.share);
    if (!added) difference = fmt::format("  {}\n", added.error().message);
  }
  if (!difference.empty()) return nullptr;
  auto machine = joined->finish();
  for (const Part& part : parts) {
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      if (vm::JoinedMachine::take_symbol(*machine, symbols[k], part.symbols.at(k))) continue;
      difference += fmt::format("  what {} holds is broken\n", symbols[k]);
    }
  }
  return machine;
}

// Joins the parts of all processes and compares them with the whole run.
ProcessedRun compare_parts(const Setup& setup, const Way& way, const Whole& whole, bool is_traced,
                           const Results& results, Part all) {
  ProcessedRun done;
  std::vector<Part> parts;
  for (std::size_t process = 0; process < results.size(); ++process) {
    Part part;
    vm::StateReader reader(results[process].bytes);
    if (results[process].error.empty()) part.pass(reader);
    if (!results[process].error.empty() || !reader.ok() || reader.left() > 0) {
      done.difference += fmt::format("  process {}: {}\n", process, results[process].error);
    }
    done.processes += part.has_strips ? 1 : 0;
    all.trace.insert(all.trace.end(), part.trace.begin(), part.trace.end());
    all.prints.insert(all.prints.end(), part.prints.begin(), part.prints.end());
    parts.push_back(std::move(part));
  }
  if (!done.difference.empty()) return done;
  // A machine that is traced passes more.
  const auto unread = [](std::string_view) {};
  auto own = begin(setup, way, is_traced ? Trace(unread) : Trace());
  auto joined = join(std::move(own->machine), parts, done.difference);
  if (!done.difference.empty()) return done;
  Run shown{.lines = nullptr, .machine = std::move(joined), .record = {}};
  shown.record = shown.machine->record();
  done.difference += compare_runs(*whole.run, shown, fmt::format("in {} processes", parts.size()));
  done.difference += compare_shown_states(*whole.run->machine, *shown.machine);
  if (is_traced) done.difference += compare_traces(whole.told.trace, all.trace);
  if (!is_traced) done.difference += compare_prints(whole.told.prints, all.prints);
  return done;
}

// Runs a part in each process.
Results parts_of(const Setup& setup, const Way& way, std::uint32_t processes, bool is_traced,
                 std::span<const std::byte> state = {}) {
  return test_support::Processes().fork(processes,
                                        [&](vm::ProcessMedium& medium, std::uint32_t /*process*/) {
                                          Part part = part_of(setup, way, medium, is_traced, state);
                                          vm::StateWriter writer;
                                          part.pass(writer);
                                          return std::move(writer.written());
                                        });
}

// Compares what a machine shows that takes up `state` with one that has run up to there.
std::string compare_taken_up(const Setup& setup, const Way& way, Run& first,
                             std::span<const std::byte> state) {
  std::vector<std::string> prints;
  Way again = way;
  again.prints = &prints;
  auto taken_up = begin(setup, again);
  vm::StateReader reader(state);
  if (!vm::MachineState(*taken_up->machine).read(reader)) return "  no such state\n";
  first.record = first.machine->record();
  taken_up->record = taken_up->machine->record();
  return compare_runs(first, *taken_up, "in the state of processes") +
         compare_shown_states(*first.machine, *taken_up->machine);
}

}  // namespace

ProcessedRun compare_in_processes(const Setup& setup, const Way& way, std::uint32_t processes,
                                  bool is_traced) {
  const Whole whole = whole_run(setup, way, is_traced);
  return compare_parts(setup, way, whole, is_traced, parts_of(setup, way, processes, is_traced),
                       {});
}

ProcessedRun compare_restored(const Setup& setup, const Way& way, std::uint64_t at,
                              std::uint32_t processes, std::uint32_t after) {
  Part before;
  Way alone = way;
  alone.threads = 1;
  alone.prints = &before.prints;
  auto first = begin(setup, alone);
  if (first->machine->advance(at).is_over) return {};
  const auto states = states_in_processes(setup, way, at, processes);
  if (!states.error.empty()) return {.difference = "  " + states.error + "\n"};
  const std::string difference = compare_taken_up(setup, alone, *first, states.bytes);
  if (!difference.empty()) return {.difference = difference};
  const Whole whole = whole_run(setup, way, false);
  return compare_parts(setup, way, whole, false, parts_of(setup, way, after, false, states.bytes),
                       std::move(before));
}

}  // namespace wse::differential
