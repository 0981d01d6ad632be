// Assembles and runs programs for tests.
#include "tests/support/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "tests/support/files.h"
#include "tests/support/machines.h"

namespace wse::test_support {

std::vector<std::uint32_t> Simulation::words(std::uint32_t x, std::uint32_t y,
                                             const std::string& name) const {
  const isa::Result<vm::SymbolValue> value = machine->read_symbol(x, y, name);
  return value ? value->words : std::vector<std::uint32_t>{};
}

namespace {

void write_arrays(vm::Machine& machine, const Arrays& arrays) {
  for (const auto& [name, words] : arrays) {
    const isa::Result<vm::ArrayInfo> place = machine.array(name);
    ASSERT_TRUE(place) << place.error();
    const isa::Status written = machine.write_array(name, *place, words);
    ASSERT_TRUE(written) << written.error();
  }
}

}  // namespace

Simulation simulate(const std::string& text, const SimulationOptions& options,
                    const std::string& name) {
  Simulation simulation;
  isa::Profile profile = machine(options.profile);
  for (const auto& [parameter, value] : options.settings) profile.*parameter = value;
  assembler::Output output =
      assembler::assemble({name, text}, {.overrides = options.values, .profile = profile});
  if (!output.image) {
    ADD_FAILURE() << isa::to_text(output.diagnostics, output.files);
    return simulation;
  }
  auto machine = vm::Machine::create(std::move(*output.image), profile, test_machine());
  if (!machine) {
    ADD_FAILURE() << machine.error().message;
    return simulation;
  }
  simulation.machine = std::move(*machine);
  write_arrays(*simulation.machine, options.arrays);
  vm::RunOptions run;
  run.max_cycles = options.max_cycles;
  run.tsc_skew = options.tsc_skew;
  run.path = options.path;
  run.print = [&simulation](std::string_view line) { simulation.printed.emplace_back(line); };
  vm::TraceLines lines(
      [&simulation](std::string_view line) { simulation.trace.emplace_back(line); });
  run.trace = options.trace ? &lines : options.sink;
  run.profile = options.keeps_profile;
  simulation.record = simulation.machine->run(run);
  EXPECT_EQ(simulation.record.engine_problem, "");
  tell_refusal(simulation.record);
  // A law of every run, however it ends.
  std::uint64_t pe_cycles = 0;
  for (const std::uint64_t cycles : simulation.record.counters.pe_cycles) pe_cycles += cycles;
  EXPECT_EQ(pe_cycles, simulation.record.cycles * simulation.record.placed_pes) << name;
  simulation.failed_expectations = simulation.machine->failed_expectations(simulation.record);
  return simulation;
}

std::string refusal(const std::string& text, const SimulationOptions& options,
                    const std::string& name) {
  static constexpr std::string_view kLimits[] = {"E215", "E216", "E217", "E218", "E219", "E220"};
  const assembler::Output output = assembler::assemble(
      {name, text}, {.overrides = options.values, .profile = machine(options.profile)});
  if (output.image) return "";
  for (const isa::Diagnostic& diagnostic : output.diagnostics) {
    const bool follows = diagnostic.severity != isa::Severity::Error;
    EXPECT_TRUE(follows || std::ranges::find(kLimits, diagnostic.code) != std::end(kLimits))
        << diagnostic.message;
  }
  return isa::to_text(output.diagnostics, output.files);
}

std::string program_text(const std::string& name) {
  return read_text(std::filesystem::path(WSE_SOURCE_DIR) / "programs" / name / (name + ".wsa"));
}

Simulation simulate_program(const std::string& name, const SimulationOptions& options) {
  return simulate(program_text(name), options, name + ".wsa");
}

}  // namespace wse::test_support
