// The sides give names and values; what a side lacks is "-", but for the elements of a thread,
// which a machine does not know of instructions on memory alone.
#include "tests/differential/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "asm/assembler.h"
#include "tests/differential/runs.h"
#include "tests/oracle/machine.h"
#include "tests/support/engine.h"
#include "vm/run/machine.h"

namespace wse::differential {
namespace {

using State = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kShownPes = 4;
constexpr std::size_t kShownElements = 8;  // of memory, by PE
constexpr const char* kNothing = "-";

struct Side {
  std::string name;
  std::vector<State> states;  // by PE
  std::vector<State> memory;  // by PE
};

// The bytes of a symbol's elements as numbers.
void add_elements(const isa::Symbol& symbol, const std::vector<std::uint32_t>& words,
                  State& memory) {
  for (std::uint32_t k = 0; k < symbol.count; ++k) {
    memory.emplace_back(fmt::format("{}[{}]", symbol.name, k), std::to_string(words[k]));
  }
}

template <class WordsOf>  // of a symbol at x, y
void read_memory(const isa::Image& image, Side& side, const WordsOf& words_of) {
  side.memory.resize(side.states.size());
  for (const isa::Placement& placement : image.placements) {
    isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
        add_elements(symbol, words_of(symbol, x, y), side.memory[y * image.width + x]);
      }
    });
  }
}

Side run_oracle(const isa::Image& image, const Generated& program) {
  const oracle::StreamWords words = stream_words(image);
  const oracle::Jitter jitter = program.jitter
                                    ? oracle::Jitter{program.jitter->seed, program.jitter->cycles}
                                    : oracle::Jitter{};
  Side side{.name = "oracle",
            .states = oracle::states(image, program.profile, words, *program.limit, jitter),
            .memory = {}};
  const oracle::Outcome outcome =
      oracle::run(image, program.profile, words, *program.limit, jitter);
  const auto words_of = [&](const isa::Symbol& symbol, std::uint32_t x, std::uint32_t y) {
    const std::vector<std::uint8_t>& bytes = outcome.memory[y * image.width + x];
    const std::uint32_t size = isa::info(symbol.type).bytes;
    std::vector<std::uint32_t> elements(symbol.count);
    for (std::uint32_t k = 0; k < symbol.count * size; ++k) {
      elements[k / size] |= std::uint32_t{bytes[symbol.address + k]} << 8 * (k % size);
    }
    return elements;
  };
  read_memory(image, side, words_of);
  return side;
}

struct Way {
  std::string name;
  vm::TransportChoice transport;
  std::uint32_t threads = 1;
  bool traced = false;
};

// None where the transport or the number of threads cannot be had.
std::optional<Side> run_machine(const isa::Image& image, const Generated& program, const Way& way) {
  auto machine = vm::Machine::create(
      image, program.profile,
      {.threads = way.threads, .transport = way.transport, .engine = test_support::test_engine()});
  if (!machine) return std::nullopt;
  feed(**machine, stream_words(image));
  vm::RunOptions options{.max_cycles = *program.limit, .jitter = program.jitter};
  vm::TraceLines lines([](std::string_view) {});
  if (way.traced) options.trace = &lines;
  const vm::Record record = (*machine)->run(options);
  const bool wants_wafer = way.transport == vm::TransportChoice::Wafer;
  if (wants_wafer != (record.transport == "wafer")) return std::nullopt;
  if (record.threads != way.threads) return std::nullopt;
  Side side{.name = way.name, .states = {}, .memory = {}};
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::uint32_t x = 0; x < image.width; ++x) {
      side.states.push_back((*machine)->pe_state(x, y));
    }
  }
  read_memory(image, side, [&](const isa::Symbol& symbol, std::uint32_t x, std::uint32_t y) {
    return (*machine)->read_symbol(x, y, symbol.name)->words;
  });
  return side;
}

std::vector<Side> run_sides(const isa::Image& image, const Generated& program) {
  using vm::TransportChoice;
  const Way ways[] = {{"traced", TransportChoice::Stepper, 1, true},
                      {"stepper", TransportChoice::Stepper},
                      {"stepper on 2 threads", TransportChoice::Stepper, 2},
                      {"stepper on 3 threads", TransportChoice::Stepper, 3},
                      {"wafer", TransportChoice::Wafer},
                      {"wafer on 2 threads", TransportChoice::Wafer, 2},
                      {"wafer on 3 threads", TransportChoice::Wafer, 3}};
  std::vector<Side> sides = {run_oracle(image, program)};
  for (const Way& way : ways) {
    if (auto side = run_machine(image, program, way)) sides.push_back(std::move(*side));
  }
  return sides;
}

// The values of one name, each with the sides that have it, in the order of the sides.
using Values = std::vector<std::pair<std::string, std::string>>;

// Which names some side has, in the order of the first one that has them, with their values.
std::vector<std::pair<std::string, Values>> side_by_side(const std::vector<Side>& sides,
                                                         std::vector<State> Side::* part,
                                                         std::size_t pe) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::string>> values;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    for (const auto& [name, value] : (sides[k].*part)[pe]) {
      auto [at, is_new] = values.try_emplace(name, sides.size(), kNothing);
      if (is_new) names.push_back(name);
      at->second[k] = value;
    }
  }
  std::vector<std::pair<std::string, Values>> all;
  for (const std::string& name : names) {
    Values& grouped = all.emplace_back(name, Values()).second;
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const std::string& value = values[name][k];
      if (value == kNothing && name.ends_with(" elements")) continue;
      const auto same = std::ranges::find(grouped, value, &Values::value_type::first);
      if (same == grouped.end()) {
        grouped.emplace_back(value, sides[k].name);
      } else {
        same->second += ", " + sides[k].name;
      }
    }
  }
  return all;
}

std::string line_of(const std::string& name, const Values& values) {
  if (values.size() == 1) return fmt::format("      {}: {}\n", name, values[0].first);
  std::string line = fmt::format("    ! {}:", name);
  for (const auto& [value, sides] : values) line += fmt::format(" {} ({});", value, sides);
  line.back() = '\n';
  return line;
}

// Empty if all sides see the PE alike.
std::string compare_pe(const std::vector<Side>& sides, std::size_t pe) {
  bool differs = false;
  std::string text;
  for (const auto& [name, values] : side_by_side(sides, &Side::states, pe)) {
    differs = differs || values.size() > 1;
    text += line_of(name, values);
  }
  std::size_t elements = 0;
  for (const auto& [name, values] : side_by_side(sides, &Side::memory, pe)) {
    if (values.size() == 1) continue;
    differs = true;
    if (++elements <= kShownElements) text += line_of(name, values);
  }
  if (elements > kShownElements) {
    text += fmt::format("    ! and {} more elements\n", elements - kShownElements);
  }
  return differs ? text : "";
}

}  // namespace

std::string compare_states(const Generated& program) {
  const assembler::Output output = assembler::assemble(
      {"random.wsa", program.text}, {.overrides = {}, .profile = program.profile});
  const isa::Image& image = *output.image;
  const std::vector<Side> sides = run_sides(image, program);
  std::string text;
  std::size_t differing = 0;
  for (std::size_t pe = 0; pe < std::size_t{image.width} * image.height; ++pe) {
    const std::string of_pe = compare_pe(sides, pe);
    if (of_pe.empty() || ++differing > kShownPes) continue;
    text += fmt::format("  PE({}, {})\n{}", pe % image.width, pe / image.width, of_pe);
  }
  if (differing > kShownPes) text += fmt::format("  and {} more PEs\n", differing - kShownPes);
  return differing == 0 ? "  all PEs are alike: what differs is counted only\n" : text;
}

}  // namespace wse::differential
