// Each process writes down its share of the machine, and its lines of the trace.
#include "tests/differential/in_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/support/processes.h"
#include "vm/run/joined_machine.h"
#include "vm/run/share.h"
#include "vm/support/state_archive.h"

namespace wse::differential {
namespace {

// The end of a run in one process.
struct Part {
  bool has_strips = false;
  vm::MessageBytes share;
  std::vector<std::string> trace;
  std::vector<std::string> prints;

  template <class Archive>
  void pass(Archive& archive) {
    archive.number(has_strips);
    archive.list(share, 1, [&](std::byte& byte) { archive.number(byte); });
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

Part part_of(const Setup& setup, const Way& way, vm::ProcessMedium& medium, bool is_traced) {
  Part part;
  Way here = way;
  here.medium = &medium;
  here.prints = &part.prints;
  const auto trace = [&part](std::string_view line) { part.trace.emplace_back(line); };
  const auto run = begin(setup, here, is_traced ? Trace(trace) : Trace());
  if (!run) throw std::runtime_error(run.error().message);
  part.has_strips = !vm::Share(*run->machine).pes().empty();
  if (part.has_strips) run->machine->advance(way.max_cycles);
  part.share = vm::JoinedMachine::share_of(*run->machine, symbols_of(run->machine->image()));
  return part;
}

}  // namespace

ProcessedRun compare_in_processes(const Setup& setup, const Way& way, std::uint32_t processes,
                                  bool is_traced) {
  Part wanted;
  Way alone = way;
  alone.threads = 1;
  alone.prints = &wanted.prints;
  const auto trace = [&wanted](std::string_view line) { wanted.trace.emplace_back(line); };
  auto expected = run(setup, alone, is_traced ? Trace(trace) : Trace());
  const auto results = test_support::Processes().fork(
      processes, [&](vm::ProcessMedium& medium, std::uint32_t /*process*/) {
        Part part = part_of(setup, way, medium, is_traced);
        vm::StateWriter writer;
        part.pass(writer);
        return std::move(writer.written());
      });
  ProcessedRun done;
  Part all;
  std::vector<vm::MessageBytes> shares;
  for (std::size_t process = 0; process < results.size(); ++process) {
    Part part;
    vm::StateReader reader(results[process].bytes);
    if (results[process].error.empty()) part.pass(reader);
    if (!results[process].error.empty() || !reader.ok() || reader.left() > 0) {
      done.difference += fmt::format("  process {}: {}\n", process, results[process].error);
    }
    done.processes += part.has_strips ? 1 : 0;
    shares.push_back(std::move(part.share));
    all.trace.insert(all.trace.end(), part.trace.begin(), part.trace.end());
    all.prints.insert(all.prints.end(), part.prints.begin(), part.prints.end());
  }
  if (!done.difference.empty()) return done;
  // A machine that is traced passes more.
  const auto unread = [](std::string_view) {};
  auto own = begin(setup, way, is_traced ? Trace(unread) : Trace());
  const std::vector<std::string> symbols = symbols_of(own->machine->image());
  auto joined = vm::JoinedMachine::begin(std::move(own->machine), processes, symbols);
  for (const vm::MessageBytes& share : shares) {
    const isa::Attempt<void> added = joined->add(share);
    if (!added) done.difference = fmt::format("  {}\n", added.error().message);
  }
  if (!done.difference.empty()) return done;
  Run shown{.lines = nullptr, .machine = joined->finish(), .record = {}};
  shown.record = shown.machine->record();
  done.difference = compare_runs(*expected, shown, fmt::format("in {} processes", processes));
  done.difference += compare_shown_states(*expected->machine, *shown.machine);
  if (is_traced) done.difference += compare_traces(wanted.trace, all.trace);
  if (!is_traced) done.difference += compare_prints(wanted.prints, all.prints);
  return done;
}

}  // namespace wse::differential
