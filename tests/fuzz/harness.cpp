// Bounds first, then load, run, check expectations and look at every exported array.
#include "tests/fuzz/harness.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "isa/support/hash.h"
#include "tests/support/any_machine.h"
#include "vm/run/machine.h"
#include "vm/run/memory_need.h"

namespace wse::fuzz {
namespace {

constexpr std::uint64_t kMaxPlaces = 32 * 32;        // visited by all ranges together
constexpr std::uint64_t kMaxFormulaSteps = 200'000;  // of parameters and initial values
constexpr std::uint64_t kMaxPrintBytes = 1'000;
constexpr std::uint32_t kMaxStretch = 300;  // instructions in a cycle
constexpr vm::Cycle kMaxCycles = 2'000;
constexpr vm::Cycle kMaxPeCycles = 20'000;
constexpr std::uint64_t kMaxQueueBytes = std::uint64_t{4} << 20;

constexpr std::uint32_t kShare = 4;  // one parameter in so many is another
constexpr std::uint32_t kMaxDepth = 300;
constexpr test_support::Cap kCaps[] = {
    {&isa::Profile::ramp_latency_cycles, kMaxDepth},    {&isa::Profile::router_depth, kMaxDepth},
    {&isa::Profile::up_ramp_depth, kMaxDepth},          {&isa::Profile::down_ramp_depth, kMaxDepth},
    {&isa::Profile::stretch_instructions, kMaxStretch},
};

std::uint64_t places(const isa::StridedRect& rect) {
  return static_cast<std::uint64_t>(rect.x.count()) * static_cast<std::uint64_t>(rect.y.count());
}

// Nodes evaluated at one PE of the placement.
std::uint64_t formula_steps(const isa::Image& image, const isa::Placement& placement) {
  const isa::Program& program = image.programs[placement.program];
  std::uint64_t steps = 1;
  for (const isa::Formula& argument : placement.arguments) steps += argument.nodes.size();
  for (const isa::DerivedSlot& slot : program.derived) steps += slot.formula.nodes.size();
  if (program.seed) steps += program.seed->value.nodes.size();
  for (const isa::Symbol& symbol : program.symbols) {
    if (symbol.initial) steps += std::uint64_t{symbol.count} * symbol.initial->nodes.size();
  }
  return steps;
}

bool is_small(const isa::Image& image) {
  if (image.width > kMaxGridSide || image.height > kMaxGridSide) return false;
  std::uint64_t visited = 0;
  std::uint64_t steps = 0;
  for (const isa::Placement& placement : image.placements) {
    visited += places(placement.rect);
    steps += places(placement.rect) * formula_steps(image, placement);
  }
  for (const isa::Route& route : image.routes) visited += places(route.rect);
  for (const isa::Filter& filter : image.filters) {
    visited += places(filter.rect);
    for (const isa::Formula& value : filter.values) {
      steps += places(filter.rect) * value.nodes.size();
    }
  }
  for (const isa::Stream& stream : image.streams) {
    visited += places(stream.rect);
    steps += places(stream.rect) * stream.count;
  }
  for (const isa::Expectation& e : image.expectations) {
    visited += places(e.rect);
    steps += places(e.rect) * e.count * e.value.nodes.size();
  }
  std::uint64_t printed = 0;
  for (const isa::Program& program : image.programs) {
    for (const isa::PrintText& text : program.prints) {
      for (const isa::PrintPiece& piece : text) printed += piece.text.size() + 8;
    }
  }
  return visited <= kMaxPlaces && steps <= kMaxFormulaSteps && printed <= kMaxPrintBytes;
}

vm::Cycle cycles_for(const isa::Image& image) {
  std::uint64_t pes = 1;
  for (const isa::Placement& placement : image.placements) pes += places(placement.rect);
  return std::clamp(kMaxPeCycles / pes, vm::Cycle{20}, kMaxCycles);
}

isa::Profile profile() {
  isa::Profile model = *isa::find_profile("model");
  model.stretch_instructions = kMaxStretch;
  return model;
}

void read_arrays(const vm::Machine& machine) {
  for (const isa::Program& program : machine.image().programs) {
    for (const isa::Symbol& symbol : program.symbols) {
      const auto array = machine.array(symbol.name);
      if (!array) continue;
      const auto words = machine.read_array(symbol.name);
      require(words.has_value(), "an array that exists can be read", symbol.name);
      const std::uint64_t expected = std::uint64_t{array->width} * array->height * array->count;
      require(words->size() == expected, "an array has the size it says", symbol.name);
    }
  }
}

void run_on(const isa::Image& image, const isa::Profile& profile) {
  auto machine = vm::Machine::create(image, profile);
  if (!machine) return require(!machine.error().message.empty(), "a refusal says why");
  std::size_t printed = 0;
  vm::RunOptions options;
  options.max_cycles = cycles_for(image);
  options.print = [&printed](std::string_view line) { printed += line.size(); };
  vm::TraceLines lines([&printed](std::string_view line) { printed += line.size(); });
  options.trace = &lines;
  const vm::Record record = (*machine)->run(options);
  require(record.cycles <= options.max_cycles, "a run ends at its limit");
  (*machine)->failed_expectations(record);
  read_arrays(**machine);
}

// The same machine for the same image, so that a finding can be repeated.
void run_on_any_machine(const isa::Image& image) {
  const std::uint64_t hash = isa::hash_bytes(isa::write_image(image));
  test_support::Random random(static_cast<std::uint32_t>(hash));
  isa::Profile machine = test_support::any_machine(profile(), kShare, kCaps, random);
  if (random.one_in(4)) test_support::break_bounds(machine, random);
  if (const isa::Status checked = isa::check(machine); !checked) {
    const auto refused = vm::Machine::create(image, machine);
    return require(!refused && refused.error().message == checked.error(),
                   "every machine is checked", checked.error());
  }
  if (vm::memory_need(image, machine).queue_bytes <= kMaxQueueBytes) run_on(image, machine);
}

}  // namespace

void require(bool holds, std::string_view what, std::string_view detail) {
  if (holds) return;
  std::fprintf(stderr, "not true: %s\n%s\n", std::string(what).c_str(),
               std::string(detail).c_str());
  std::abort();
}

void run_bounded(const isa::Image& image) {
  if (!is_small(image)) return;
  const auto narrow = vm::Machine::create(image, *isa::find_profile("wse3"));  // refuses more
  if (!narrow) require(!narrow.error().message.empty(), "a refusal says why");
  run_on(image, profile());
  run_on_any_machine(image);
}

}  // namespace wse::fuzz
