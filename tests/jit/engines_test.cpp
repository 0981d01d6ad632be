// The engines from outside: the same records and memory, however much is compiled and when; and
// what they say where they cannot work.
#include "jit/engines.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "asm/assembler.h"
#include "jit/load_compiler.h"
#include "tests/support/simulation.h"

namespace wse::jit {
namespace {

constexpr const char* kLoop = R"(
.grid 4, 4
.program loop(turns: i32)
  .u32 sum
  task main:
    mov32 r1, 0
    mov32 r2, 7
  again:
    mul32 r2, r2, 1664525
    add32 r2, r2, 1013904223
    mov32 sum, r2
    add32 r1, r1, 1
    blt r1, turns, again
    halt
.place loop at (0..3, 0..3) with turns = 1000 + 100 * x + y
)";

struct Result {
  vm::Record record;
  std::vector<std::uint32_t> sums;
};

Result run(const vm::Engine* engine, std::uint32_t threads, vm::Cycle max_cycles = vm::kNever) {
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output =
      assembler::assemble({"loop.wsa", kLoop}, {.overrides = {}, .profile = profile});
  const auto machine = vm::Machine::create(std::move(*output.image), profile,
                                           {.threads = threads, .engine = engine});
  Result result{(*machine)->run({.max_cycles = max_cycles}), {}};
  for (std::uint32_t k = 0; k < 16; ++k) {
    result.sums.push_back((*machine)->read_symbol(k % 4, k / 4, "sum")->words[0]);
  }
  return result;
}

void expect_same(const Result& found, const Result& expected) {
  EXPECT_EQ(found.record.cycles, expected.record.cycles);
  EXPECT_EQ(found.record.message, expected.record.message);
  EXPECT_EQ(found.record.counters.instructions, expected.record.counters.instructions);
  EXPECT_EQ(found.record.counters.pe_cycles, expected.record.counters.pe_cycles);
  EXPECT_EQ(found.record.engine_problem, "");
  EXPECT_EQ(found.sums, expected.sums);
}

std::unique_ptr<vm::Engine> engine_of(std::string_view name, const JitOptions& options) {
  auto engine = make_engine(name, options, {});
  EXPECT_TRUE(engine) << engine.error();
  return std::move(*engine);
}

TEST(Engines, AgreeWheneverTheyCompile) {
  const Result expected = run(nullptr, 1);
  for (const char* const name : {"interp", "jit", "lockstep"}) {
    for (const std::uint32_t threshold : {0u, 1u, 5000u}) {
      for (const std::uint32_t threads : {1u, 2u}) {
        const auto engine = engine_of(name, {.threshold = threshold});
        const Result found = run(engine.get(), threads);
        EXPECT_EQ(found.record.engine, name);
        expect_same(found, expected);
      }
    }
  }
}

TEST(Engines, StopWhereTheInterpreterStops) {
  const auto engine = engine_of("jit", {.threshold = 0});
  for (vm::Cycle limit = 1; limit < 60; ++limit) {
    expect_same(run(engine.get(), 1, limit), run(nullptr, 1, limit));
  }
}

TEST(Engines, CompileAProgramOnceForAllThatRunIt) {
  const auto engine = engine_of("jit", {.threshold = 0});
  const Result first = run(engine.get(), 1);
  EXPECT_LE(first.record.native.regions, 2u);  // recorded, and beyond what is recorded
  EXPECT_GT(first.record.native.instructions, first.record.counters.instructions * 9 / 10);
  EXPECT_EQ(run(engine.get(), 2).record.native.regions, 0u);  // another machine
}

TEST(Engines, GoThroughVectorInstructionsOnMemory) {
  constexpr const char* kText = R"(
.grid 1, 1
.program vectors
  .f32 v[40] = i
  .reg k
  task main:
    mov32 k, 500
  again:
    fmacs v[0:20], v[0:20], v[20:40], 0.5
    fadds v[20:40], v[20:40], 1.0
    sub32 k, k, 1
    bne k, 0, again
    halt
.place vectors at (0, 0)
)";
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output =
      assembler::assemble({"vectors.wsa", kText}, {.overrides = {}, .profile = profile});
  const auto engine = engine_of("jit", {.threshold = 0});
  const auto machine =
      vm::Machine::create(std::move(*output.image), profile, {.engine = engine.get()});
  const vm::Record record = (*machine)->run({});
  EXPECT_GT(record.native.instructions, record.counters.instructions * 95 / 100);
}

TEST(Engines, RunOnWithoutMemoryForCode) {
  const auto engine = engine_of("jit", {.threshold = 0, .most_code_bytes = 0});
  const Result found = run(engine.get(), 1);
  EXPECT_EQ(found.record.native.instructions, 0u);
  expect_same(found, run(nullptr, 1));
}

TEST(Engines, SayWhatIsMissing) {
  const char* const kept = std::getenv("WSEVM_JIT");
  const std::string before = kept == nullptr ? "" : kept;
  setenv("WSEVM_JIT", "/nowhere/wsevm-jit.so", 1);
  const auto missing = make_engine("jit", {}, {});
  setenv("WSEVM_JIT", "/proc/self/exe", 1);
  const auto other = make_engine("jit", {}, {});
  setenv("WSEVM_JIT", before.c_str(), 1);
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().contains("there is no such file")) << missing.error();
  EXPECT_TRUE(missing.error().contains("--engine=interp")) << missing.error();
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().contains("--engine=interp")) << other.error();
}

}  // namespace
}  // namespace wse::jit
