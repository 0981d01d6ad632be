// Programs that assemble but end badly, on `model` or what `;;; on` says:
// tests/golden/failing/*.wsa. Each ends with a block that holds status, explanation and failed
// expectations, and must end in few cycles.
#include <gtest/gtest.h>

#include <optional>

#include "asm/assembler.h"
#include "tests/support/golden_block.h"
#include "tests/support/simulation.h"

namespace wse {
namespace {

using test_support::GoldenProgram;

class FailingProgram : public testing::TestWithParam<GoldenProgram> {};

std::string message_on(const GoldenProgram& program, vm::TransportChoice transport,
                       std::uint32_t threads) {
  const isa::Profile profile =
      *isa::find_profile(program.profile.empty() ? "model" : program.profile);
  assembler::Output output = assembler::assemble({program.name(), program.source},
                                                 {.overrides = program.values, .profile = profile});
  if (!output.image) return isa::to_text(output.diagnostics, output.files);
  auto machine = vm::Machine::create(std::move(*output.image), profile,
                                     {.threads = threads, .transport = transport});
  if (!machine) return machine.error().message;
  return (*machine)->run({}).message;
}

TEST_P(FailingProgram, IsExplained) {
  test_support::SimulationOptions options{.values = GetParam().values};
  if (!GetParam().profile.empty()) options.profile = GetParam().profile;
  const test_support::Simulation simulation =
      test_support::simulate(GetParam().source, options, GetParam().name());
  const vm::Record& record = simulation.record;
  std::string text = std::string(vm::text(record.status)) + "\n";
  if (!record.message.empty()) text += record.message + "\n";
  for (const std::string& failure : simulation.failed_expectations) text += failure + "\n";
  EXPECT_EQ(test_support::compare_with_block(GetParam(), text), "");
  EXPECT_LT(record.cycles, 1'000'000u) << "this is a hang; it should take milliseconds";
  const bool ended_well =
      record.status == vm::RunStatus::Halted && simulation.failed_expectations.empty();
  EXPECT_TRUE(!ended_well || record.wavelets_left > 0) << "nothing failed";
}

// The text of a run does not depend on who moves its words, nor on how many threads do.
TEST_P(FailingProgram, IsExplainedAlikeOnEveryTransport) {
  std::optional<std::string> first;
  for (const vm::TransportChoice transport :
       {vm::TransportChoice::Stepper, vm::TransportChoice::Wafer}) {
    for (const std::uint32_t threads : {1u, 3u}) {
      const std::string message = message_on(GetParam(), transport, threads);
      if (!first) first = message;
      EXPECT_EQ(message, *first) << threads << " threads";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FailingProgram,
                         testing::ValuesIn(test_support::golden_programs("golden/failing")),
                         [](const auto& test) { return test.param.path.stem().string(); });

}  // namespace
}  // namespace wse
