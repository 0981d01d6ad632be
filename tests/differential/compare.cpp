// Ways of ending, counters, the end of every instruction, memory and streams, side by side.
#include "tests/differential/compare.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "asm/assembler.h"
#include "tests/differential/border_traffic.h"
#include "tests/differential/explained.h"
#include "tests/differential/untraced.h"
#include "tests/oracle/machine.h"
#include "tests/support/engine.h"
#include "vm/machine.h"

namespace wse::differential {
namespace {

class Differences {
 public:
  template <class Value>
  void note(std::string_view what, const Value& machine, const Value& oracle) {
    if (machine != oracle) add(what, machine, oracle);
  }
  // The name is put together only for what differs.
  template <class Value, class... Place>
  void note_at(const Value& machine, const Value& oracle, fmt::format_string<Place...> what,
               Place&&... place) {
    if (machine != oracle) {
      add(fmt::format(what, std::forward<Place>(place)...), machine, oracle);
    }
  }
  std::string text_;

 private:
  template <class Value>
  void add(std::string_view what, const Value& machine, const Value& oracle) {
    text_ += fmt::format("  {}: machine {}, oracle {}\n", what, machine, oracle);
  }
};

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
                    const Generated& program) {
  const bool machine_is_cut = record.status == vm::RunStatus::CycleLimit;
  const bool oracle_is_cut = outcome.end == oracle::End::CycleLimit;
  return machine_is_cut != oracle_is_cut &&
         outcome.cycles + longest_way(program.profile) > program.max_cycles();
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

void compare_positions(const isa::Image& image, const vm::Record& record,
                       const oracle::Outcome& outcome, Differences& differences) {
  std::string machine;
  for (const vm::PositionRecord& moved : record.positions) {
    machine += fmt::format(" {} {} {} {}", moved.x, moved.y, moved.colour, moved.position);
  }
  std::string oracle;
  for (const auto& [place, position] : outcome.positions) {
    oracle += fmt::format(" {} {} {} {}", place.first % image.width, place.first / image.width,
                          image.colour_name(place.second), position);
  }
  differences.note("positions", machine, oracle);
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
void compare_end(const isa::Image& image, const Generated& program, const vm::Record& record,
                 const oracle::Outcome& outcome, Differences& differences) {
  const bool trapped = record.status == vm::RunStatus::Trap || outcome.end == oracle::End::Trap;
  if (!rests_at_limit(record, outcome, program)) {
    differences.note("status", std::string(vm::text(record.status)),
                     std::string(oracle::kEndTexts[static_cast<std::size_t>(outcome.end)]));
  }
  if (trapped) {
    const std::string trap = outcome.trap ? trap_text(image, *outcome.trap) : "no trap";
    if (!record.message.starts_with(trap)) differences.note("trap", record.message, trap);
  }
}

}  // namespace

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

void feed(vm::Machine& machine, const oracle::StreamWords& words) {
  const std::vector<isa::Stream>& streams = machine.image().streams;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    if (!streams[k].enters) continue;
    (void)machine.write_array(streams[k].name, *machine.array(streams[k].name), words[k]);
  }
}

Comparison compare(const Generated& program, std::span<const std::uint32_t> threads) {
  Comparison comparison;
  assembler::Output output = assembler::assemble({"random.wsa", program.text},
                                                 {.overrides = {}, .profile = program.profile});
  comparison.refused = program.may_be_refused && !output.image;
  if (comparison.refused) return comparison;
  if (!output.image) {
    comparison.difference = isa::to_text(output.diagnostics, output.files);
    return comparison;
  }
  const isa::Image image = *output.image;
  auto machine = vm::Machine::create(std::move(*output.image), program.profile,
                                     {.threads = program.strips,
                                      .transport = test_support::test_transport(),
                                      .engine = test_support::test_engine()});
  if (!machine) {
    comparison.difference = machine.error().message;
    return comparison;
  }
  const oracle::StreamWords words = stream_words(image);
  feed(**machine, words);
  Finishes finishes(image);
  vm::RunOptions options;
  options.max_cycles = program.max_cycles();
  options.jitter = program.jitter;
  BorderTraffic traffic;
  options.trace = [&](std::string_view line) {
    finishes.read(std::string(line));
    traffic.read(line);
  };
  const vm::Record record = (*machine)->run(options);
  comparison.outcome =
      oracle::run(image, program.profile, words, program.max_cycles(), jitter_of(program));
  const oracle::Outcome& outcome = comparison.outcome;

  Differences differences;
  judge_warnings(output.diagnostics, comparison.outcome, differences);
  compare_end(image, program, record, outcome, differences);
  compare_counters(record, outcome, differences);
  compare_marks(image, record, outcome, differences);
  compare_memory(**machine, outcome, differences);
  compare_streams(**machine, outcome, differences);
  compare_positions(image, record, outcome, differences);
  finishes.compare(outcome, differences);
  comparison.difference = std::move(differences.text_) + record.engine_problem;
  if (explains(record) && !rests_at_limit(record, outcome, program)) {
    comparison.difference += compare_explanation(record.message, image, comparison.outcome);
  }
  // To the end, or stopped after one to seven eighths of it.
  const bool whole = program.limit || record.cycles % 2 == 0;
  const std::uint64_t part = record.cycles * (record.cycles / 2 % 7 + 1) / 8 + 1;
  comparison.difference += compare_untraced(
      image, program.profile, {whole ? program.max_cycles() : part, program.jitter}, threads);
  comparison.crosses_rows = traffic.crosses_all(image.height, 4);
  return comparison;
}

}  // namespace wse::differential
