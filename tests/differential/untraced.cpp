// Machine against machine: records, symbol by symbol.
#include "tests/differential/untraced.h"

#include <fmt/ranges.h>

#include <memory>
#include <numeric>

#include "tests/support/engine.h"
#include "vm/machine.h"

namespace wse::differential {
namespace {

struct Run {
  std::unique_ptr<vm::Machine> machine;
  vm::Record record;
};

Run run(const isa::Image& image, const isa::Profile& profile, const Limits& limits,
        const vm::MachineOptions& machine, bool traced) {
  Run run{*vm::Machine::create(image, profile, machine), {}};
  vm::RunOptions options{.max_cycles = limits.max_cycles, .jitter = limits.jitter};
  if (traced) options.trace = [](std::string_view) {};
  run.record = run.machine->run(options);
  return run;
}

vm::MachineOptions on_threads(std::uint32_t threads) {
  return {.threads = threads,
          .transport = test_support::test_transport(),
          .engine = test_support::test_engine()};
}

// Every cycle of every PE with a program is counted, and no other one.
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

// Of the machine that is not traced, or not stepped.
std::string compare(const isa::Image& image, const Run& traced, const Run& untraced,
                    const std::string& way) {
  const std::string expected = record_text(traced.record);
  const std::string found = record_text(untraced.record);
  std::string difference = uncounted(untraced.record) + untraced.record.engine_problem;
  if (found != expected) {
    difference += fmt::format("  {}: {}\n  expected: {}\n", way, found, expected);
  }
  for (const isa::Placement& placement : image.placements) {
    isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
        const auto with = traced.machine->read_symbol(x, y, symbol.name);
        const auto without = untraced.machine->read_symbol(x, y, symbol.name);
        if (with->words == without->words) continue;
        difference +=
            fmt::format("  {} at ({}, {}) is not what was expected, {}\n", symbol.name, x, y, way);
      }
    });
  }
  return difference;
}

}  // namespace

std::string compare_untraced(const isa::Image& image, const isa::Profile& profile,
                             const Limits& limits, std::span<const std::uint32_t> threads) {
  const Run traced = run(image, profile, limits, on_threads(1), true);
  std::string difference = uncounted(traced.record);
  for (const std::uint32_t count : threads) {
    const std::string way =
        fmt::format("at most {} cycles on {} threads", limits.max_cycles, count);
    const Run untraced = run(image, profile, limits, on_threads(count), false);
    difference += compare(image, traced, untraced, way);
  }
  return difference;
}

TransportComparison compare_transports(const isa::Image& image, const isa::Profile& profile,
                                       const Limits& limits) {
  const std::uint64_t max_cycles = limits.max_cycles;
  const auto on = [&](vm::TransportChoice transport, std::uint64_t cycles,
                      std::uint32_t threads = 1) {
    const vm::MachineOptions machine{
        .threads = threads, .transport = transport, .engine = test_support::test_engine()};
    return run(image, profile, {cycles, limits.jitter}, machine, false);
  };
  const Run stepped = on(vm::TransportChoice::Stepper, max_cycles);
  const Run whole = on(vm::TransportChoice::Wafer, max_cycles);
  TransportComparison comparison{.difference = {}, .refused = whole.record.transport_reason};
  if (!comparison.refused.empty()) return comparison;
  comparison.difference = compare(image, stepped, whole, "on the wafer");
  const std::uint64_t eighths = stepped.record.cycles % 7 + 1;
  const std::uint64_t part = limits.in_part ? stepped.record.cycles * eighths / 8 + 1 : max_cycles;
  const Run stepped_part = on(vm::TransportChoice::Stepper, part);
  comparison.difference += compare(image, stepped_part, on(vm::TransportChoice::Wafer, part),
                                   fmt::format("on the wafer, at most {} cycles", part));
  // Whole on two threads, in part on three.
  const Run shared = on(vm::TransportChoice::Wafer, max_cycles, 2);
  comparison.strips = shared.record.threads;
  if (comparison.strips == 1) return comparison;
  comparison.difference += compare(image, stepped, shared, "on the wafer and two threads");
  comparison.difference +=
      compare(image, stepped_part, on(vm::TransportChoice::Wafer, part, 3),
              fmt::format("on the wafer and three threads, at most {} cycles", part));
  return comparison;
}

}  // namespace wse::differential
