// Machine against machine: records, symbol by symbol.
#include "tests/differential/runs.h"

#include <fmt/ranges.h>

#include <numeric>

#include "tests/differential/profile_sums.h"
#include "tests/support/engine.h"
#include "vm/run/books.h"
#include "vm/run/machine.h"

namespace wse::differential {
namespace {

// Returns an error unless every cycle of every PE with a program is counted, and no other one.
std::string uncounted(const vm::Record& record) {
  const auto& cycles = record.counters.pe_cycles;
  const std::uint64_t sum = std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
  if (sum == record.cycles * record.placed_pes) return {};
  return fmt::format("  {} PE cycles, but {} cycles of {} PEs with a program\n", sum, record.cycles,
                     record.placed_pes);
}

std::string record_text(const vm::Record& record) {
  const vm::Counters& c = record.counters;
  std::string text = fmt::format("{} after {}: {}; cycles {}", vm::text(record.status),
                                 record.cycles, record.message, fmt::join(c.pe_cycles, " "));
#define COUNTED(type, name, group, shown, joined) text += fmt::format(", {} {}", c.name, shown);
#define TOTALLED(name, group, shown, joined) text += fmt::format(", {} {}", record.name, shown);
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  for (const auto& [name, mark] : record.marks) {
    text += fmt::format(", {} {}..{} {}", name, mark.first, mark.last, mark.count);
  }
  if (record.trap) text += fmt::format(", trap at {}: {}", record.trap->line, record.trap->detail);
  for (const vm::PositionRecord& moved : record.positions) {
    text += fmt::format(", {} at ({}, {}) in {}", moved.colour, moved.x, moved.y, moved.position);
  }
  return text + fmt::format(", {} switches moved", record.positions_total);
}

// Returns the cycles of all lines of all programs by cause; empty if nobody counted them.
std::string lines_text(const vm::Machine& machine) {
  std::string text;
  for (const vm::LineTable& table : vm::Books(machine).line_tables()) {
    for (const vm::LineRow& row : table.rows) {
      text +=
          fmt::format("{} {} {} {}\n", row.cycles, row.most, row.at, fmt::join(row.causes, " "));
    }
  }
  return text;
}

}  // namespace

std::string Way::text() const {
  std::string_view on = "as the tests choose";
  if (transport == vm::TransportChoice::Wafer) on = "on the wafer";
  if (transport == vm::TransportChoice::Stepper) on = "on the stepper";
  return fmt::format("{}, at most {} cycles on {} threads{}", on, max_cycles, threads,
                     cohorts ? "" : ", without cohorts");
}

std::uint32_t slices_of(std::string_view text) {
  constexpr std::uint32_t kWanted[] = {0, 3, 0, 64};
  return kWanted[text.size() / 2 % std::size(kWanted)];
}

oracle::StreamWords stream_words(const isa::Image& image) {
  oracle::StreamWords words;
  for (const isa::Stream& stream : image.streams) {
    std::vector<std::uint32_t>& these = words.emplace_back();
    if (!stream.enters) continue;
    const std::size_t count =
        std::size_t{stream.count} *
        static_cast<std::size_t>(stream.rect.x.count() * stream.rect.y.count());
    const std::uint32_t mask = isa::info(stream.type).bytes == 2 ? 0xffffu : ~0u;
    for (std::size_t k = 0; k < count; ++k) {
      these.push_back(static_cast<std::uint32_t>((k + words.size() * 77) * 2654435761u) & mask);
    }
  }
  return words;
}

Setup setup_of(const Generated& program, const isa::Image& image) {
  return {.image = image,
          .profile = program.profile,
          .jitter = program.jitter,
          .words = stream_words(image)};
}

void feed(vm::Machine& machine, const oracle::StreamWords& words) {
  const std::vector<isa::Stream>& streams = machine.image().streams;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    if (!streams[k].enters) continue;
    (void)machine.write_array(streams[k].name, *machine.array(streams[k].name), words[k]);
  }
}

namespace {

isa::Attempt<Run> begin_with(const Setup& setup, const Way& way, const Trace& trace,
                             const std::optional<vm::PathTarget>& path) {
  auto machine = vm::Machine::create(setup.image, setup.profile,
                                     {.threads = way.threads,
                                      .transport = way.transport,
                                      .engine = test_support::test_engine(),
                                      .medium = way.medium,
                                      .cohorts = way.cohorts && test_support::test_cohorts()});
  if (!machine) return std::unexpected(machine.error());
  Run run{trace ? std::make_unique<vm::TraceLines>(trace) : nullptr, std::move(*machine), {}};
  if (setup.counts_lines) static_cast<void>(run.machine->count_lines());
  feed(*run.machine, setup.words);
  vm::RunOptions options{.max_cycles = way.max_cycles,
                         .jitter = setup.jitter,
                         .profile = true,
                         .slices = setup.slices};
  if (way.prints != nullptr) {
    options.print = [to = way.prints](std::string_view line) { to->emplace_back(line); };
  }
  options.trace = run.lines.get();
  options.path = path;
  run.machine->begin(options);
  return run;
}

}  // namespace

isa::Attempt<Run> begin(const Setup& setup, const Way& way, const Trace& trace) {
  return begin_with(setup, way, trace, std::nullopt);
}

isa::Attempt<Run> run_with_path(const Setup& setup, std::uint64_t max_cycles,
                                std::optional<std::size_t> window) {
  auto run = begin_with(setup, {max_cycles, 1, vm::TransportChoice::Stepper}, {},
                        vm::PathTarget{.window = window});
  if (!run) return run;
  run->machine->advance(max_cycles);
  run->record = run->machine->record();
  return run;
}

isa::Attempt<Run> run(const Setup& setup, const Way& way, const Trace& trace) {
  auto run = begin(setup, way, trace);
  if (!run) return run;
  run->machine->advance(way.max_cycles);
  run->record = run->machine->record();
  return run;
}

std::string compare_runs(const Run& expected, const Run& found, const std::string& way) {
  const std::string text = record_text(found.record);
  const std::string wanted = record_text(expected.record);
  std::string difference =
      uncounted(found.record) + unbalanced(found) + found.record.engine_problem;
  if (text != wanted) {
    difference += fmt::format("  {}: {}\n  expected: {}\n", way, text, wanted);
  }
  for (const std::string& name : expected.machine->profile_arrays()) {
    if (*expected.machine->profile_array(name) == *found.machine->profile_array(name)) continue;
    difference += fmt::format("  {} of the profile is not what was expected, {}\n", name, way);
  }
  if (lines_text(*expected.machine) != lines_text(*found.machine)) {
    difference += fmt::format("  cycles of lines are not what was expected, {}\n", way);
  }
  const auto slices = vm::Books(*found.machine).slices();
  const auto wanted_slices = vm::Books(*expected.machine).slices();
  if (slices &&
      (wanted_slices->cycles != slices->cycles || wanted_slices->links != slices->links)) {
    difference += fmt::format("  slices are not what was expected, {}\n", way);
  }
  const isa::Image& image = expected.machine->image();
  for (const isa::Stream& stream : image.streams) {
    if (expected.machine->read_array(stream.name) == found.machine->read_array(stream.name))
      continue;
    difference += fmt::format("  stream {} is not what was expected, {}\n", stream.name, way);
  }
  for (const isa::Placement& placement : image.placements) {
    isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
        const auto left = expected.machine->read_symbol(x, y, symbol.name);
        const auto right = found.machine->read_symbol(x, y, symbol.name);
        if (left->words == right->words) continue;
        difference +=
            fmt::format("  {} at ({}, {}) is not what was expected, {}\n", symbol.name, x, y, way);
      }
    });
  }
  return difference;
}

}  // namespace wse::differential
