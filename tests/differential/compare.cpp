// Ways of ending, counters, the end of every instruction, memory and streams, side by side.
#include "tests/differential/compare.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "asm/assembler.h"
#include "tests/differential/border_traffic.h"
#include "tests/differential/explained.h"
#include "tests/differential/in_processes.h"
#include "tests/differential/profile_compare.h"
#include "tests/differential/profile_sums.h"
#include "tests/differential/runs.h"
#include "tests/oracle/machine.h"
#include "vm/planes/refusal.h"
#include "vm/run/machine.h"

namespace wse::differential {
namespace {

// More cycles than anything is on its way from one place to the next.
std::uint64_t longest_way(const isa::Profile& profile) {
  constexpr std::uint64_t kMore = 16;
  return std::uint64_t{profile.ramp_latency_cycles} + profile.hop_latency_cycles +
         profile.link_interval_cycles + kMore;
}

std::string trap_text(const isa::Image& image, const oracle::TrapPlace& trap) {
  return fmt::format("trap {} in cycle {} at PE({}, {})", isa::info(trap.trap).text, trap.cycle,
                     trap.pe % image.width, trap.pe / image.width);
}

// A run that rests just before the limit has halted for one and was stopped for the other: the
// machine looks ahead where nothing is due, and waits for wavelets that the oracle sees nobody
// wants.
bool rests_at_limit(const vm::Record& record, const oracle::Outcome& outcome,
                    const isa::Profile& profile, std::uint64_t limit) {
  const bool machine_is_cut = record.status == vm::RunStatus::CycleLimit;
  const bool oracle_is_cut = outcome.end == oracle::End::CycleLimit;
  return machine_is_cut != oracle_is_cut && outcome.cycles + longest_way(profile) > limit;
}

void compare_counters(const vm::Record& record, const oracle::Outcome& outcome,
                      Differences& differences) {
  const vm::Counters& counters = record.counters;
  differences.note("cycles", record.cycles, outcome.cycles);
#define COUNTED(type, name, group, shown, joined) \
  differences.note(#name, std::uint64_t{counters.name}, outcome.name);
#define TOTALLED(name, group, shown, joined) differences.note(#name, record.name, outcome.name);
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  static constexpr std::string_view kNames[] = {"busy", "memory_stall", "wait_output", "wait_input",
                                                "idle"};
  for (std::size_t k = 0; k < oracle::kActivities; ++k) {
    differences.note(kNames[k], counters.pe_cycles[k], outcome.pe_cycles[k]);
  }
}

void compare_marks(const isa::Image& image, const vm::Record& record,
                   const oracle::Outcome& outcome, Differences& differences) {
  for (std::uint32_t k = 0; k < image.marks.size(); ++k) {
    const std::string& name = image.marks[k];
    const auto seen = record.marks.find(name);
    const vm::MarkRecord machine = seen == record.marks.end() ? vm::MarkRecord{} : seen->second;
    vm::MarkRecord oracle;
    const auto found = outcome.marks.find(k);
    if (found != outcome.marks.end()) {
      for (const oracle::Cycle cycle : found->second) {
        oracle.first = std::min(oracle.first, cycle);
        oracle.last = std::max(oracle.last, cycle);
        ++oracle.count;
      }
    }
    differences.note_at(machine.first, oracle.first, "first mark {}", name);
    differences.note_at(machine.last, oracle.last, "last mark {}", name);
    differences.note_at(machine.count, oracle.count, "marks {}", name);
  }
}

void compare_memory(const vm::Machine& machine, const oracle::Outcome& outcome,
                    Differences& differences) {
  const isa::Image& image = machine.image();
  for (const isa::Placement& placement : image.placements) {
    isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      const std::vector<std::uint8_t>& bytes = outcome.memory[y * image.width + x];
      for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
        const auto value = machine.read_symbol(x, y, symbol.name);
        const std::uint32_t size = isa::info(symbol.type).bytes;
        for (std::uint32_t i = 0; i < symbol.count; ++i) {
          std::uint32_t word = 0;
          for (std::uint32_t k = 0; k < size; ++k) {
            word |= std::uint32_t{bytes[symbol.address + i * size + k]} << 8 * k;
          }
          differences.note_at(value->words[i], word, "{}[{}] at ({}, {})", symbol.name, i, x, y);
        }
      }
    });
  }
}

void compare_streams(const vm::Machine& machine, const oracle::Outcome& outcome,
                     Differences& differences) {
  const std::vector<isa::Stream>& streams = machine.image().streams;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    const auto words = machine.read_array(streams[k].name);
    differences.note_at(*words, outcome.streamed[k], "stream {}", streams[k].name);
  }
}

// The record has the first of many.
void compare_positions(const isa::Image& image, const vm::Record& record,
                       const oracle::Outcome& outcome, Differences& differences) {
  std::string machine;
  for (const vm::PositionRecord& moved : record.positions) {
    machine += fmt::format(" {} {} {} {}", moved.x, moved.y, moved.colour, moved.position);
  }
  std::string oracle;
  std::size_t rest = record.positions.size();
  for (const auto& [place, position] : outcome.positions) {
    if (rest-- == 0) break;
    oracle += fmt::format(" {} {} {} {}", place.first % image.width, place.first / image.width,
                          image.colour_name(place.second), position);
  }
  differences.note("positions", machine, oracle);
  differences.note("positions in all", record.positions_total, outcome.positions.size());
}

// When every instruction of every PE finished, and when the PE halted, from the machine's trace.
class Finishes {
 public:
  explicit Finishes(const isa::Image& image)
      : width_(image.width), by_pe_(std::size_t{image.width} * image.height) {}

  void read(const std::string& line) {
    unsigned long long cycle = 0;
    unsigned x = 0;
    unsigned y = 0;
    char event[6] = {};
    int behind = 0;
    std::sscanf(line.c_str(), R"({"cycle":%llu,"pe":[%u,%u],"event":"%5[a-z]%n)", &cycle, &x, &y,
                event, &behind);
    const std::string_view name(event);
    std::uint32_t thread = oracle::kHalt;
    if (name == "end") {
      thread = 0;
      if (std::sscanf(line.c_str() + behind, R"(","thread":"ut%u)", &thread) == 1) ++thread;
    }
    if (name == "end" || name == "halt") by_pe_[y * width_ + x].push_back({cycle, thread});
  }

  // The first that is not the same at each PE.
  void compare(const oracle::Outcome& outcome, Differences& differences) {
    for (std::size_t pe = 0; pe < by_pe_.size(); ++pe) {
      std::vector<oracle::Finish> oracle = outcome.finishes[pe];
      std::ranges::sort(oracle);
      std::ranges::sort(by_pe_[pe]);
      const auto [left, right] = std::ranges::mismatch(by_pe_[pe], oracle);
      differences.note_at(text(left, by_pe_[pe].end()), text(right, oracle.end()),
                          "finish number {} of PE({}, {})", left - by_pe_[pe].begin(), pe % width_,
                          pe / width_);
    }
  }

 private:
  using List = std::vector<oracle::Finish>;
  static std::string text(List::const_iterator at, List::const_iterator end) {
    if (at == end) return "none";
    if (at->thread == oracle::kHalt) return fmt::format("halt in {}", at->cycle);
    return fmt::format("thread {} in {}", at->thread, at->cycle);
  }

  std::uint32_t width_;
  std::vector<List> by_pe_;
};

bool explains(const vm::Record& record) {
  return record.status == vm::RunStatus::Halted || record.status == vm::RunStatus::Deadlock;
}

// Warnings by which a program cannot end well: words never come, or have no room.
constexpr std::string_view kHopeless[] = {"E224", "E227", "E228"};

// What the assembler warned of is met; nothing hopeless may be said of a program that halted.
void judge_warnings(const isa::Diagnostics& diagnostics, oracle::Outcome& outcome,
                    Differences& differences) {
  const std::string end(oracle::kEndTexts[static_cast<std::size_t>(outcome.end)]);
  for (const isa::Diagnostic& diagnostic : diagnostics) {
    if (std::ranges::find(kHopeless, diagnostic.code) == std::end(kHopeless)) continue;
    ++outcome.met["warning " + diagnostic.code];
    if (outcome.end == oracle::End::Halted) {
      differences.note("warning", diagnostic.code + ": " + diagnostic.message, end);
    }
  }
}

oracle::Jitter jitter_of(const Generated& program) {
  if (!program.jitter) return {};
  return {program.jitter->seed, program.jitter->cycles};
}

// How it ended, and by which trap.
void compare_end(const Setup& setup, const vm::Record& record, const oracle::Outcome& outcome,
                 std::uint64_t limit, Differences& differences) {
  const bool trapped = record.status == vm::RunStatus::Trap || outcome.end == oracle::End::Trap;
  if (!rests_at_limit(record, outcome, setup.profile, limit)) {
    differences.note("status", std::string(vm::text(record.status)),
                     std::string(oracle::kEndTexts[static_cast<std::size_t>(outcome.end)]));
  }
  if (trapped) {
    const std::string trap = outcome.trap ? trap_text(setup.image, *outcome.trap) : "no trap";
    if (!record.message.starts_with(trap)) differences.note("trap", record.message, trap);
  }
}

// Returns in what a run is not what the oracle says it is: its end, all numbers of the record,
// memory, streams, and the explanation of a machine that stands still.
std::string judge(const Setup& setup, const Run& run, oracle::Outcome& outcome,
                  std::uint64_t limit) {
  Differences differences;
  compare_end(setup, run.record, outcome, limit, differences);
  compare_counters(run.record, outcome, differences);
  compare_profile(*run.machine, outcome, differences);
  compare_marks(setup.image, run.record, outcome, differences);
  compare_memory(*run.machine, outcome, differences);
  compare_streams(*run.machine, outcome, differences);
  compare_positions(setup.image, run.record, outcome, differences);
  std::string difference =
      std::move(differences.text_) + unbalanced(run) + run.record.engine_problem;
  if (explains(run.record) && !rests_at_limit(run.record, outcome, setup.profile, limit)) {
    difference += compare_explanation(run.record.message, setup.image, outcome);
  }
  return difference;
}

// A program, and all that it is run for.
class Comparer {
 public:
  Comparer(const Generated& program, const Setup& setup, std::span<const std::uint32_t> threads,
           Comparison& comparison)
      : program_(program), setup_(setup), threads_(threads), comparison_(comparison) {
    comparison_.left_to_stepper = vm::wafer::refusal(setup.image, setup.profile);
  }

  // To the end, stopped after one to seven eighths of it, or both.
  void run_all(const isa::Diagnostics& diagnostics) {
    const std::optional<Run> whole = run_traced(diagnostics);
    if (!whole) return;
    const std::uint64_t cycles = whole->record.cycles;
    const bool stops = cycles % 2 == 1 && !program_.limit;
    if (!stops || program_.stops_too) {
      run_others(*whole, comparison_.outcome, program_.max_cycles(), stops ? none() : threads_);
    }
    if (program_.limit || (!stops && !program_.stops_too)) return;
    const std::uint64_t part = cycles * (cycles / 2 % 7 + 1) / 8 + 1;
    oracle::Outcome outcome = simulate(part);
    const auto traced = run(setup_, on_stepper(part, 1), [](std::string_view) {});
    add(judge(setup_, *traced, outcome, part), fmt::format("at most {} cycles", part));
    run_others(*traced, outcome, part, stops ? threads_ : none());
  }

 private:
  static std::span<const std::uint32_t> none() { return {}; }
  static Way on_stepper(std::uint64_t cycles, std::uint32_t threads) {
    return {cycles, threads, vm::TransportChoice::Stepper};
  }
  void add(const std::string& difference, const std::string& way) {
    if (!difference.empty()) comparison_.difference += fmt::format("{}:\n{}", way, difference);
  }
  oracle::Outcome simulate(std::uint64_t limit) const {
    return oracle::run(setup_.image, setup_.profile, setup_.words, limit, jitter_of(program_));
  }

  // The run whose every finish is compared, from its trace.
  std::optional<Run> run_traced(const isa::Diagnostics& diagnostics) {
    Finishes finishes(setup_.image);
    BorderTraffic traffic;
    auto traced =
        run(setup_, on_stepper(program_.max_cycles(), program_.strips), [&](std::string_view line) {
          finishes.read(std::string(line));
          traffic.read(line);
        });
    if (!traced) {
      comparison_.difference = traced.error().message;
      return std::nullopt;
    }
    comparison_.outcome = simulate(program_.max_cycles());
    comparison_.crosses_rows = traffic.crosses_all(setup_.image.height, 4);
    Differences differences;
    judge_warnings(diagnostics, comparison_.outcome, differences);
    finishes.compare(comparison_.outcome, differences);
    comparison_.difference = std::move(differences.text_) +
                             judge(setup_, *traced, comparison_.outcome, program_.max_cycles());
    return std::move(*traced);
  }

  // The untraced machines that must end as `expected` did and as the oracle says.
  void run_others(const Run& expected, oracle::Outcome& outcome, std::uint64_t limit,
                  std::span<const std::uint32_t> threads) {
    for (const std::uint32_t count : threads) {
      const Way way = on_stepper(limit, count);
      const auto found = run(setup_, way);
      comparison_.joined_visits += found->machine->joined_visits();
      add(compare_runs(expected, *found, way.text()), way.text());
    }
    if (!threads.empty()) run_in_processes(limit, vm::TransportChoice::Stepper);
    if (!comparison_.left_to_stepper.empty()) return;
    // Two strips to the end, three to a part of it, if the mesh has so many blocks; else one.
    const bool whole = limit == program_.max_cycles();
    const std::uint32_t strips = run_on_wafer(expected, outcome, limit, whole ? 2 : 3);
    comparison_.strips = std::max(comparison_.strips, strips);
    if (strips > 1) run_in_processes(limit, vm::TransportChoice::Wafer);
    if (whole && strips > 1) run_on_wafer(expected, outcome, limit, 1);
  }

  // Two to five processes, on one or two threads each, if the mesh has so many rows, or the wafer
  // so many bands of blocks.
  void run_in_processes(std::uint64_t limit, vm::TransportChoice transport) {
    const auto size = static_cast<std::uint32_t>(program_.text.size());
    const Way way{limit, 1 + size / 8 % 2, transport};
    const bool is_on_wafer = transport == vm::TransportChoice::Wafer;
    const bool is_traced = !is_on_wafer && size % 4 == 0;
    const ProcessedRun done = compare_in_processes(setup_, way, 2 + size / 2 % 4, is_traced);
    add(done.difference, way.text() + ", in processes");
    comparison_.processes.add(is_on_wafer, is_traced, done.processes);
    if (is_traced || comparison_.outcome.cycles < 2 || size / 4 % 7 != 0) return;
    // A checkpoint on the way, which another number of processes takes up.
    const std::uint64_t at = 1 + size % std::min<std::uint64_t>(comparison_.outcome.cycles, limit);
    const ProcessedRun restored =
        compare_restored(setup_, way, at, 2 + size / 8 % 4, 2 + size / 2 % 4);
    add(restored.difference, way.text() + ", taken up in processes");
    if (restored.processes > 0) comparison_.processes.add_restored();
  }

  // Returns how many strips there were.
  std::uint32_t run_on_wafer(const Run& expected, oracle::Outcome& outcome, std::uint64_t limit,
                             std::uint32_t threads) {
    const Way way{limit, threads, vm::TransportChoice::Wafer, nullptr, threads > 1};
    const auto on_wafer = run(setup_, way);
    comparison_.joined_visits += on_wafer->machine->joined_visits();
    const std::string& reason = on_wafer->record.transport_reason;
    if (!reason.empty()) add(fmt::format("  left to the stepper: {}\n", reason), way.text());
    add(judge(setup_, *on_wafer, outcome, limit), way.text());
    add(compare_runs(expected, *on_wafer, way.text()), way.text());
    return on_wafer->record.threads;
  }

  const Generated& program_;
  const Setup& setup_;
  std::span<const std::uint32_t> threads_;
  Comparison& comparison_;
};

}  // namespace

assembler::Output assembled(const Generated& program, Comparison& comparison) {
  assembler::Output output = assembler::assemble({"random.wsa", program.text},
                                                 {.overrides = {}, .profile = program.profile});
  comparison.refused = program.may_be_refused && !output.image;
  if (!output.image && !comparison.refused) {
    comparison.difference = isa::to_text(output.diagnostics, output.files);
  }
  return output;
}

Comparison compare(const Generated& program, std::span<const std::uint32_t> threads) {
  Comparison comparison;
  const assembler::Output output = assembled(program, comparison);
  if (!output.image) return comparison;
  Setup setup = setup_of(program, *output.image);
  setup.counts_lines = program.text.size() % 2 == 0;
  setup.slices = slices_of(program.text);
  Comparer(program, setup, threads, comparison).run_all(output.diagnostics);
  if (program.at_borders) {
    comparison.cuts = count_cuts(setup.image, setup.profile, comparison.outcome);
  }
  return comparison;
}

}  // namespace wse::differential
