// Each process writes down what its strip has come to.
#include "tests/differential/in_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/processes.h"
#include "vm/run/books.h"
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

// Sums over PEs: the cycles of lines, and of slices of time the activities of PEs and the wavelets
// over links.
struct BookSums {
  struct Line {
    std::uint64_t cycles = 0;
    std::uint64_t most = 0;  // of one PE,
    std::uint32_t at = 0;    // the first that has so many
    std::vector<std::uint64_t> causes{};

    template <class Archive>
    void pass(Archive& archive) {
      archive.number(cycles);
      archive.number(most);
      archive.number(at);
      pass_numbers(archive, causes);
    }
    bool operator==(const Line&) const = default;
  };

  std::vector<Line> lines;                  // of one program after the other
  std::vector<std::uint64_t> slice_edges;   // cycles
  std::vector<std::uint64_t> slice_cycles;  // as in vm::SliceTable
  std::vector<std::uint64_t> slice_links;

  template <class Archive, class Number>
  static void pass_numbers(Archive& archive, std::vector<Number>& numbers) {
    archive.list(numbers, 1, [&](Number& number) { archive.number(number); });
  }
  template <class Archive>
  void pass(Archive& archive) {
    archive.list(lines, 1, [&](Line& line) { line.pass(archive); });
    pass_numbers(archive, slice_edges);
    pass_numbers(archive, slice_cycles);
    pass_numbers(archive, slice_links);
  }
  bool operator==(const BookSums&) const = default;
};

// The end of a run at one strip, or at all of them.
struct Outcome {
  vm::RunStatus status = vm::RunStatus::Halted;
  std::uint64_t cycles = 0;
  vm::Counters counters;
  vm::TransportTotals totals;
  std::uint64_t trap_cycle = vm::kNever;
  std::uint32_t trap_pe = 0;
  std::string trap_text;
  std::vector<vm::MarkRecord> marks;
  std::vector<std::vector<std::uint64_t>> profile;  // by array, then PE of the mesh
  BookSums books;
  std::vector<std::vector<std::uint32_t>> streams;  // words of those of the image
  std::vector<std::string> trace;
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
    archive.text(trap_text);
    archive.list(marks, 1, [&](vm::MarkRecord& mark) {
      archive.number(mark.first);
      archive.number(mark.last);
      archive.number(mark.count);
    });
    archive.list(profile, 1, [&](std::vector<std::uint64_t>& values) {
      archive.list(values, 1, [&](std::uint64_t& value) { archive.number(value); });
    });
    books.pass(archive);
    archive.list(streams, 1, [&](auto& words) { BookSums::pass_numbers(archive, words); });
    archive.list(trace, 1, [&](std::string& line) { archive.text(line); });
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

BookSums books_of(const vm::Machine& machine) {
  const vm::Books books(machine);
  BookSums sums;
  for (const vm::LineTable& table : books.line_tables()) {
    for (const vm::LineRow& row : table.rows) {
      sums.lines.push_back({row.cycles, row.most, row.at, {row.causes.begin(), row.causes.end()}});
    }
  }
  if (const auto slices = books.slices()) {
    sums.slice_edges = slices->edges;
    sums.slice_cycles = slices->cycles;
    sums.slice_links = slices->links;
  }
  return sums;
}

// Returns what the process has come to of the machine, or of all of it if it is one process's.
Outcome outcome_of(vm::Machine& machine, vm::RunStatus status, std::uint64_t cycles) {
  const vm::Share share(machine);
  Outcome outcome{.status = status,
                  .cycles = cycles,
                  .counters = share.counters(),
                  .totals = share.totals(),
                  .trap_text = {},
                  .marks = share.marks(),
                  .profile = {},
                  .books = books_of(machine),
                  .streams = {},
                  .trace = {},
                  .pes = {}};
  if (const vm::TrapReport* const trap = share.trap()) {
    outcome.trap_cycle = trap->cycle;
    outcome.trap_pe = trap->pe;
    if (status == vm::RunStatus::Trap) outcome.trap_text = machine.record().message;
  }
  for (const isa::Stream& stream : machine.image().streams) {
    outcome.streams.push_back(*machine.read_array(stream.name));
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

void add_numbers(const std::vector<std::uint64_t>& numbers, std::vector<std::uint64_t>& sums) {
  sums.resize(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) sums[k] += numbers[k];
}

void join_books(const BookSums& strip, BookSums& all) {
  all.lines.resize(strip.lines.size());
  for (std::size_t k = 0; k < all.lines.size(); ++k) {
    BookSums::Line& line = all.lines[k];
    line.cycles += strip.lines[k].cycles;
    if (strip.lines[k].most > line.most) {
      line.most = strip.lines[k].most;
      line.at = strip.lines[k].at;
    }
    add_numbers(strip.lines[k].causes, line.causes);
  }
  all.slice_edges = strip.slice_edges;
  add_numbers(strip.slice_cycles, all.slice_cycles);
  add_numbers(strip.slice_links, all.slice_links);
}

// A stream has the words of its PEs row by row, so many of each.
void join_streams(const isa::Image& image, const Outcome& strip, Outcome& all) {
  all.streams.resize(image.streams.size());
  for (std::size_t k = 0; k < image.streams.size(); ++k) {
    const isa::Stream& stream = image.streams[k];
    all.streams[k].resize(strip.streams[k].size());
    std::size_t at = 0;
    isa::for_each(stream.rect, [&](std::uint32_t x, std::uint32_t y) {
      const bool is_own = y * image.width + x - strip.first_pe < strip.pes.size();
      for (std::uint32_t word = 0; word < stream.count; ++word, ++at) {
        if (is_own) all.streams[k][at] = strip.streams[k][at];
      }
    });
  }
}

// Each strip tells its own trap; the machine has ended in the first one, and a text may name others
// of its cycle.
void join_traps(const Outcome& strip, Outcome& all) {
  const std::pair place(strip.trap_cycle, strip.trap_pe);
  if (strip.trap_cycle == all.trap_cycle) all.trap_text.clear();
  if (place < std::pair(all.trap_cycle, all.trap_pe)) {
    if (strip.trap_cycle < all.trap_cycle) all.trap_text = strip.trap_text;
    std::tie(all.trap_cycle, all.trap_pe) = place;
  }
}

bool tells_trap(const std::string& line) { return line.contains("\"event\":\"trap\""); }

// Adds the outcome of a strip to those of the strips above it. Wavelets over a link are counted
// where they come to, which may be in another strip than where they left.
void join(const Outcome& strip, const isa::Image& image, const std::vector<std::string>& arrays,
          Outcome& all) {
  all.cycles = std::max(all.cycles, strip.cycles);
  all.counters.add(strip.counters);
  all.totals.add(strip.totals);
  join_traps(strip, all);
  join_books(strip.books, all.books);
  join_streams(image, strip, all);
  all.trace.insert(all.trace.end(), strip.trace.begin(), strip.trace.end());
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

// Within a cycle strips tell their lines in any order. Of traps the first one alone is told by one
// process.
std::string compare_traces(const Outcome& wanted, const Outcome& found) {
  const auto sorted = [](std::vector<std::string> lines) {
    std::erase_if(lines, tells_trap);
    std::ranges::sort(lines);
    return lines;
  };
  const std::vector<std::string> left = sorted(wanted.trace);
  const std::vector<std::string> right = sorted(found.trace);
  const auto [expected, told] = std::ranges::mismatch(left, right);
  if (expected == left.end() && told == right.end()) return {};
  return fmt::format("  the trace has {}, not {}\n", told == right.end() ? "an end" : *told,
                     expected == left.end() ? "an end" : *expected);
}

std::string compare_outcomes(const Outcome& wanted, const Outcome& found,
                             const std::vector<std::string>& arrays) {
  std::string difference;
  if (numbers_text(wanted) != numbers_text(found)) {
    difference += fmt::format("  {}\n  expected: {}\n", numbers_text(found), numbers_text(wanted));
  }
  if (!found.trap_text.empty() && found.trap_text != wanted.trap_text) {
    difference += fmt::format("  {}\n  expected: {}\n", found.trap_text, wanted.trap_text);
  }
  if (wanted.books.lines != found.books.lines) difference += "  cycles of lines differ\n";
  if (wanted.books != found.books) difference += "  books differ\n";
  if (wanted.streams != found.streams) difference += "  streams differ\n";
  difference += compare_traces(wanted, found);
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

ProcessedRun compare_in_processes(const Setup& setup, const Way& way, bool is_traced) {
  std::vector<std::string> lines;  // here or in the process of a strip
  const auto trace = [&]() -> Trace {
    if (!is_traced) return {};
    return [&lines](std::string_view line) { lines.emplace_back(line); };
  };
  Way alone = way;
  alone.threads = 1;
  const auto expected = run(setup, alone, trace());
  Outcome wanted = outcome_of(*expected->machine, expected->record.status, expected->record.cycles);
  wanted.trace = std::exchange(lines, {});
  const test_support::Processes medium;
  Way in_processes = way;
  in_processes.medium = &medium;
  const auto run = begin(setup, in_processes, trace());
  const auto results = medium.fork([&](std::uint32_t) {
    const vm::Stop stop = run->machine->advance(way.max_cycles);
    vm::StateWriter writer;
    Outcome outcome = outcome_of(*run->machine, stop.status, cycles_of(*run->machine, stop));
    outcome.trace = std::move(lines);
    outcome.pass(writer);
    return std::move(writer.written());
  });
  ProcessedRun done;
  done.strips = static_cast<std::uint32_t>(results.size());
  const std::vector<std::string> arrays = expected->machine->profile_arrays();
  Outcome all;
  for (std::size_t strip = 0; strip < results.size(); ++strip) {
    const auto fail = [&](std::string_view why) {
      done.difference = fmt::format("  strip {}: {}\n", strip, why);
      return done;
    };
    if (!results[strip].error.empty()) return fail(results[strip].error);
    Outcome of_strip;
    vm::StateReader reader(results[strip].bytes);
    of_strip.pass(reader);
    if (!reader.ok() || reader.left() > 0) return fail("its outcome is broken");
    if (strip > 0 && of_strip.status != all.status) return fail(vm::text(of_strip.status));
    const bool has_its_slices = strip == 0 || of_strip.books.slice_edges == all.books.slice_edges;
    if (!has_its_slices) return fail("its slices of time are others");
    all.status = of_strip.status;
    join(of_strip, setup.image, arrays, all);
  }
  done.difference = compare_outcomes(wanted, all, arrays);
  return done;
}

}  // namespace wse::differential
