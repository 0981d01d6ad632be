// The loop, and what it leaves.
#include "tests/jit/loop_program.h"

#include <gtest/gtest.h>

namespace wse::jit {
namespace {

constexpr const char* kLoop = R"(
.const MULTIPLIER = 1
.const TURNS = 1
.grid 4, 4
.program loop(turns: i32)
  .u32 sum
  task main:
    mov32 r1, 0
    mov32 r2, 7
  again:
    mul32 r2, r2, MULTIPLIER
    add32 r2, r2, 1013904223
    mov32 sum, r2
    add32 r1, r1, 1
    blt r1, turns, again
    halt
.place loop at (0..3, 0..3) with turns = TURNS + 100 * x + y
)";

}  // namespace

std::unique_ptr<vm::Machine> make_machine(const std::string& text, const vm::Engine* engine,
                                          std::uint32_t threads,
                                          const assembler::Options& options) {
  assembler::Output output = assembler::assemble({"test.wsa", text}, options);
  auto machine = vm::Machine::create(std::move(*output.image), options.profile,
                                     {.threads = threads, .engine = engine});
  return std::move(*machine);
}

LoopResult run_loop(const vm::Engine* engine, std::uint32_t threads, vm::Cycle max_cycles,
                    std::uint32_t multiplier, std::uint32_t turns) {
  const auto machine = make_machine(
      kLoop, engine, threads,
      {.overrides = {{"MULTIPLIER", std::to_string(multiplier)}, {"TURNS", std::to_string(turns)}},
       .profile = *isa::find_profile("wse2")});
  LoopResult result{machine->run({.max_cycles = max_cycles}), {}};
  for (std::uint32_t k = 0; k < 16; ++k) {
    result.sums.push_back(machine->read_symbol(k % 4, k / 4, "sum")->words[0]);
  }
  return result;
}

void expect_same(const LoopResult& found, const LoopResult& expected) {
  EXPECT_EQ(found.record.cycles, expected.record.cycles);
  EXPECT_EQ(found.record.message, expected.record.message);
  EXPECT_EQ(found.record.counters.instructions, expected.record.counters.instructions);
  EXPECT_EQ(found.record.counters.pe_cycles, expected.record.counters.pe_cycles);
  EXPECT_EQ(found.record.engine_problem, "");
  EXPECT_EQ(found.sums, expected.sums);
}

}  // namespace wse::jit
