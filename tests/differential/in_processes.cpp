// Each process writes down what its strip has come to.
#include "tests/differential/in_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/processes.h"
#include "vm/run/share.h"
#include "vm/support/state_archive.h"

namespace wse::differential {
namespace {

// The texts of the state of a PE, and the elements of its symbols.
struct PeOutcome {
  std::vector<std::string> state;
  std::vector<std::uint32_t> words;

  template <class Archive>
  void pass(Archive& archive) {
    archive.list(state, 1, [&](std::string& text) { archive.text(text); });
    archive.list(words, 1, [&](std::uint32_t& word) { archive.number(word); });
  }
  bool operator==(const PeOutcome&) const = default;
};

// The end of a run at one strip, or at all of them.
struct Outcome {
  vm::RunStatus status = vm::RunStatus::Halted;
  std::uint64_t cycles = 0;
  vm::Counters counters;
  vm::TransportTotals totals;
  std::uint64_t trap_cycle = vm::kNever;
  std::uint32_t trap_pe = 0;
  std::vector<vm::MarkRecord> marks;
  std::vector<std::vector<std::uint64_t>> profile;  // by array, then PE of the mesh
  std::uint32_t first_pe = 0;
  std::vector<PeOutcome> pes;

  template <class Archive>
  void pass(Archive& archive) {
    archive.number(status);
    archive.number(cycles);
    counters.pass(archive);
#define COUNTED(type, name, group, shown, joined)
#define TOTALLED(name, group, shown, joined) archive.number(totals.name);
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
    archive.number(trap_cycle);
    archive.number(trap_pe);
    archive.list(marks, 1, [&](vm::MarkRecord& mark) {
      archive.number(mark.first);
      archive.number(mark.last);
      archive.number(mark.count);
    });
    archive.list(profile, 1, [&](std::vector<std::uint64_t>& values) {
      archive.list(values, 1, [&](std::uint64_t& value) { archive.number(value); });
    });
    archive.number(first_pe);
    archive.list(pes, 1, [&](PeOutcome& pe) { pe.pass(archive); });
  }
};

PeOutcome pe_outcome(const vm::Machine& machine, std::uint32_t x, std::uint32_t y) {
  PeOutcome outcome;
  for (const auto& [name, value] : machine.pe_state(x, y)) {
    outcome.state.push_back(name + " " + value);
  }
  const isa::Image& image = machine.image();
  for (const isa::Placement& placement : image.placements) {
    isa::for_each(placement.rect, [&](std::uint32_t px, std::uint32_t py) {
      if (px != x || py != y) return;
      for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
        const auto value = machine.read_symbol(x, y, symbol.name);
        outcome.words.insert(outcome.words.end(), value->words.begin(), value->words.end());
      }
    });
  }
  return outcome;
}

// Returns what the process has come to of the machine, or of all of it if it is one process's.
Outcome outcome_of(const vm::Machine& machine, vm::RunStatus status, std::uint64_t cycles) {
  const vm::Share share(machine);
  Outcome outcome{.status = status,
                  .cycles = cycles,
                  .counters = share.counters(),
                  .totals = share.totals(),
                  .marks = share.marks(),
                  .profile = {},
                  .pes = {}};
  if (const vm::TrapReport* const trap = share.trap()) {
    outcome.trap_cycle = trap->cycle;
    outcome.trap_pe = trap->pe;
  }
  for (const std::string& name : machine.profile_arrays()) {
    outcome.profile.push_back(*machine.profile_array(name));
  }
  const std::uint32_t width = machine.image().width;
  outcome.first_pe = share.pes().front().first;
  for (vm::PeId pe = outcome.first_pe; pe < share.pes().back().end; ++pe) {
    outcome.pes.push_back(pe_outcome(machine, pe % width, pe / width));
  }
  return outcome;
}

// Adds the outcome of a strip to those of the strips above it. Wavelets over a link are counted
// where they come to, which may be in another strip than where they left.
void join(const Outcome& strip, const std::vector<std::string>& arrays, Outcome& all) {
  all.cycles = std::max(all.cycles, strip.cycles);
  all.counters.add(strip.counters);
  all.totals.add(strip.totals);
  const std::pair trap(strip.trap_cycle, strip.trap_pe);
  std::tie(all.trap_cycle, all.trap_pe) = std::min(std::pair(all.trap_cycle, all.trap_pe), trap);
  all.marks.resize(strip.marks.size());
  for (std::size_t k = 0; k < all.marks.size(); ++k) {
    all.marks[k].first = std::min(all.marks[k].first, strip.marks[k].first);
    all.marks[k].last = std::max(all.marks[k].last, strip.marks[k].last);
    all.marks[k].count += strip.marks[k].count;
  }
  all.profile.resize(arrays.size());
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const std::vector<std::uint64_t>& values = strip.profile[k];
    all.profile[k].resize(values.size());
    const bool is_of_links = arrays[k].starts_with("link_");
    for (std::size_t pe = 0; pe < values.size(); ++pe) {
      const bool is_own = pe - strip.first_pe < strip.pes.size();
      if (is_of_links || is_own) all.profile[k][pe] += values[pe];
    }
  }
  all.pes.insert(all.pes.end(), strip.pes.begin(), strip.pes.end());
}

std::string numbers_text(const Outcome& outcome) {
  std::string text = fmt::format("{} after {}", vm::text(outcome.status), outcome.cycles);
#define COUNTED(type, name, group, shown, joined) \
  text += fmt::format(", {} {}", outcome.counters.name, shown);
#define TOTALLED(name, group, shown, joined) \
  text += fmt::format(", {} {}", outcome.totals.name, shown);
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  for (const std::uint64_t cycles : outcome.counters.pe_cycles) text += fmt::format(" {}", cycles);
  if (outcome.status == vm::RunStatus::Trap) {
    text += fmt::format(", trap of PE {} in cycle {}", outcome.trap_pe, outcome.trap_cycle);
  }
  for (const vm::MarkRecord& mark : outcome.marks) {
    text += fmt::format(", mark {}..{} {}", mark.first, mark.last, mark.count);
  }
  return text;
}

std::string compare_outcomes(const Outcome& wanted, const Outcome& found,
                             const std::vector<std::string>& arrays) {
  std::string difference;
  if (numbers_text(wanted) != numbers_text(found)) {
    difference += fmt::format("  {}\n  expected: {}\n", numbers_text(found), numbers_text(wanted));
  }
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (wanted.profile[k] == found.profile[k]) continue;
    difference += fmt::format("  {} of the profile is not what was expected\n", arrays[k]);
  }
  if (wanted.pes.size() != found.pes.size()) return difference + "  PEs are missing\n";
  for (std::size_t pe = 0; pe < wanted.pes.size(); ++pe) {
    if (wanted.pes[pe] == found.pes[pe]) continue;
    difference += fmt::format("  PE {} is not what was expected\n", pe);
    const auto [left, right] = std::ranges::mismatch(wanted.pes[pe].state, found.pes[pe].state);
    if (left == wanted.pes[pe].state.end() || right == found.pes[pe].state.end()) continue;
    difference += fmt::format("    {}, not {}\n", *right, *left);
  }
  return difference;
}

// Returns the cycles that a record of the stop shows. What was begun ahead of a stop has not ended.
std::uint64_t cycles_of(const vm::Machine& machine, const vm::Stop& stop) {
  const bool is_over =
      stop.status == vm::RunStatus::Halted || stop.status == vm::RunStatus::Deadlock;
  const std::uint64_t finish = vm::Share(machine).counters().latest_finish;
  return is_over ? finish : std::min(finish, stop.now + 1);
}

}  // namespace

std::string compare_in_processes(const Setup& setup, const Run& expected, const Way& way) {
  Setup plain = setup;
  plain.counts_lines = false;
  plain.slices = 0;
  const test_support::Processes medium;
  Way in_processes = way;
  in_processes.medium = &medium;
  const auto run = begin(plain, in_processes);
  const auto results = medium.fork([&](std::uint32_t) {
    const vm::Stop stop = run->machine->advance(way.max_cycles);
    vm::StateWriter writer;
    Outcome outcome = outcome_of(*run->machine, stop.status, cycles_of(*run->machine, stop));
    outcome.pass(writer);
    return std::move(writer.written());
  });
  const std::vector<std::string> arrays = expected.machine->profile_arrays();
  Outcome all;
  for (std::size_t strip = 0; strip < results.size(); ++strip) {
    if (!results[strip].error.empty()) {
      return fmt::format("  strip {}: {}\n", strip, results[strip].error);
    }
    Outcome of_strip;
    vm::StateReader reader(results[strip].bytes);
    of_strip.pass(reader);
    if (!reader.ok() || reader.left() > 0) return fmt::format("  strip {} is broken\n", strip);
    if (strip > 0 && of_strip.status != all.status) {
      return fmt::format("  strip {}: {}\n", strip, vm::text(of_strip.status));
    }
    all.status = of_strip.status;
    join(of_strip, arrays, all);
  }
  return compare_outcomes(
      outcome_of(*expected.machine, expected.record.status, expected.record.cycles), all, arrays);
}

}  // namespace wse::differential
