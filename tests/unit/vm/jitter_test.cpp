// Late starts: who is late, by how much, and that nothing else decides it.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "asm/assembler.h"
#include "vm/run/machine.h"

namespace wse::late_starts {
namespace {

// Each PE notes its begin, then starts a send to itself on a microthread and notes the end of it.
const char* const kText = R"(
.grid 8, 2
.colour red
.program p
  .u32 began exported
  .u32 ended exported
  .reg t
  task main:
    tsc   t
    mov32 began, t
    mov32 fabout(red), 7 async 2 activate over
  task over:
    tsc   t
    mov32 ended, t
    halt
.place p at (0..7, 0..1)
.route red at (0..7, 0..1): ramp -> ramp
.expect cycles == 1
)";

struct Ended {
  vm::Record record;
  std::vector<std::uint32_t> began;
  std::vector<std::uint32_t> ended;
  bool holds = false;  // what the program expects
};

Ended run(const std::optional<vm::Jitter>& jitter, std::uint32_t threads = 1,
          vm::TransportChoice transport = vm::TransportChoice::Stepper) {
  const isa::Profile model = *isa::find_profile("model");
  assembler::Output output =
      assembler::assemble({"late.wsa", kText}, {.overrides = {}, .profile = model});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  auto machine = vm::Machine::create(std::move(*output.image), model,
                                     {.threads = threads, .transport = transport});
  vm::Record record = (*machine)->run({.jitter = jitter});
  const bool holds = (*machine)->failed_expectations(record).empty();
  return {record, *(*machine)->read_array("began"), *(*machine)->read_array("ended"), holds};
}

TEST(Jitter, DelaysBeginsAndAsynchronousStarts) {
  const Ended punctual = run(std::nullopt);
  EXPECT_EQ(std::set(punctual.began.begin(), punctual.began.end()), std::set<std::uint32_t>{0});
  const vm::Jitter jitter{.seed = 3, .cycles = 5};
  const Ended late = run(jitter);
  const std::uint32_t sends = punctual.ended[0];  // cycles from the start to the task after it
  for (std::uint32_t pe = 0; pe < 16; ++pe) {
    const vm::Cycle begin = jitter.lateness({pe, vm::kMainThread}, 0);
    EXPECT_LE(begin, 5);
    EXPECT_EQ(late.began[pe], begin);
    EXPECT_EQ(late.ended[pe], begin + jitter.lateness({pe, 3}, begin) + sends);
  }
  EXPECT_GT(std::set(late.began.begin(), late.began.end()).size(), 3);
  EXPECT_EQ(late.record.jitter, jitter);
}

TEST(Jitter, IsTheSameOnEveryTransportAndNumberOfThreads) {
  const vm::Jitter jitter{.seed = 77, .cycles = 16};
  const Ended one = run(jitter);
  for (const std::uint32_t threads : {1, 2}) {
    const Ended other = run(jitter, threads, vm::TransportChoice::Wafer);
    EXPECT_EQ(other.record.cycles, one.record.cycles);
    EXPECT_EQ(other.record.counters.pe_cycles, one.record.counters.pe_cycles);
    EXPECT_EQ(other.began, one.began);
    EXPECT_EQ(other.ended, one.ended);
  }
}

TEST(Jitter, OfNoCyclesDelaysNothing) {
  EXPECT_EQ(run(vm::Jitter{.seed = 3, .cycles = 0}).ended, run(std::nullopt).ended);
}

TEST(Jitter, LeavesExpectedCyclesAlone) {
  EXPECT_FALSE(run(std::nullopt).holds);
  EXPECT_TRUE(run(vm::Jitter{.seed = 1}).holds);
}

}  // namespace
}  // namespace wse::late_starts
