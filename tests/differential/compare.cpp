// Ways of ending, counters and memory, side by side.
#include "tests/differential/compare.h"

#include <fmt/format.h>

#include "asm/assembler.h"
#include "tests/oracle/machine.h"
#include "vm/machine.h"

namespace wse::differential {
namespace {

constexpr std::uint64_t kMaxCycles = 50000;

class Differences {
 public:
  template <class Value>
  void note(std::string_view what, const Value& machine, const Value& oracle) {
    if (machine == oracle) return;
    text_ += fmt::format("  {}: machine {}, oracle {}\n", what, machine, oracle);
  }
  std::string text_;
};

std::string trap_text(const isa::Image& image, const oracle::TrapPlace& trap) {
  return fmt::format("trap {} in cycle {} at PE({}, {})", isa::info(trap.trap).text, trap.cycle,
                     trap.pe % image.width, trap.pe / image.width);
}

void compare_counters(const vm::Record& record, const oracle::Outcome& outcome,
                      Differences& differences) {
  differences.note("cycles", record.cycles, outcome.cycles);
  differences.note("instructions", record.counters.instructions, outcome.instructions);
  differences.note("elements", record.counters.elements, outcome.elements);
  differences.note("flops", record.counters.flops, outcome.flops);
  differences.note("wavelets", record.counters.wavelets, outcome.wavelets);
  differences.note("hops", record.counters.hops, outcome.hops);
  static constexpr std::string_view kNames[] = {"busy", "memory_stall", "wait_output", "wait_input",
                                                "idle"};
  for (std::size_t k = 0; k < oracle::kActivities; ++k) {
    differences.note(kNames[k], record.counters.pe_cycles[k], outcome.pe_cycles[k]);
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
          differences.note(fmt::format("{}[{}] at ({}, {})", symbol.name, i, x, y), value->words[i],
                           word);
        }
      }
    });
  }
}

}  // namespace

Comparison compare(const Generated& program) {
  Comparison comparison;
  assembler::Output output = assembler::assemble({"random.wsa", program.text},
                                                 {.overrides = {}, .profile = program.profile});
  if (!output.image) {
    comparison.difference = isa::to_text(output.diagnostics, output.files);
    return comparison;
  }
  const isa::Image image = *output.image;
  auto machine = vm::Machine::create(std::move(*output.image), program.profile);
  if (!machine) {
    comparison.difference = machine.error();
    return comparison;
  }
  vm::RunOptions options;
  options.max_cycles = kMaxCycles;
  const vm::Record record = (*machine)->run(options);
  comparison.outcome = oracle::run(image, program.profile, kMaxCycles);
  const oracle::Outcome& outcome = comparison.outcome;

  Differences differences;
  differences.note("status", std::string(vm::text(record.status)),
                   std::string(oracle::kEndTexts[static_cast<std::size_t>(outcome.end)]));
  const bool trapped = record.status == vm::RunStatus::Trap || outcome.end == oracle::End::Trap;
  if (trapped) {
    const std::string trap = outcome.trap ? trap_text(image, *outcome.trap) : "no trap";
    differences.note("trap", record.message.substr(0, trap.size()), trap);
  } else {
    compare_counters(record, outcome, differences);
    compare_memory(**machine, outcome, differences);
  }
  comparison.difference = std::move(differences.text_);
  return comparison;
}

}  // namespace wse::differential
