// The engines from outside: the same records and memory, however much is compiled and when; and
// what they say where they cannot work.
#include "jit/engines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "tests/jit/loop_program.h"
#include "tests/support/files.h"

namespace wse::jit {
namespace {

constexpr const char* kWafer = R"(
.grid 755, 994
.program count(first: i32)
  .i32 sum
  task main:
    mov32 r1, 0
    mov32 r2, first
  again:
    add32 r2, r2, 1
    add32 r1, r1, 1
    blt r1, 10, again
    sub32 r2, r2, 10
    mov32 sum, r2
.place count at (0..754, 0..993) with first = x + y
)";

std::unique_ptr<vm::Engine> engine_of(std::string_view name, const JitOptions& options) {
  auto engine = make_engine(name, options);
  EXPECT_TRUE(engine) << engine.error();
  return std::move(*engine);
}

TEST(Engines, AgreeWheneverTheyCompile) {
  const LoopResult expected = run_loop(nullptr, 1);
  for (const char* const name : {"interp", "jit", "lockstep", "auto"}) {
    for (const std::uint32_t threshold : {0u, 1u, 5000u}) {
      for (const std::uint32_t threads : {1u, 2u}) {
        const auto engine = engine_of(name, {.threshold = threshold});
        const LoopResult found = run_loop(engine.get(), threads);
        EXPECT_EQ(found.record.engine, name);
        expect_same(found, expected);
      }
    }
  }
}

TEST(Engines, StopWhereTheInterpreterStops) {
  const auto engine = engine_of("jit", {.threshold = 0});
  for (vm::Cycle limit = 1; limit < 60; ++limit) {
    expect_same(run_loop(engine.get(), 1, limit), run_loop(nullptr, 1, limit));
  }
}

TEST(Engines, CompileAProgramOnceForAllThatRunIt) {
  const auto engine = engine_of("jit", {.threshold = 0});
  const LoopResult first = run_loop(engine.get(), 1);
  EXPECT_LE(first.record.native.regions, 2u);  // recorded, and beyond what is recorded
  EXPECT_GT(first.record.native.instructions, first.record.counters.instructions * 9 / 10);
  EXPECT_EQ(run_loop(engine.get(), 2).record.native.regions, 0u);  // another machine
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
  const LoopResult found = run_loop(engine.get(), 1);
  EXPECT_EQ(found.record.native.instructions, 0u);
  expect_same(found, run_loop(nullptr, 1));
}

// Another module for as long as it lives.
class WithModule {
 public:
  explicit WithModule(const char* file) {
    if (const char* const before = std::getenv("WSEVM_JIT")) before_ = before;
    setenv("WSEVM_JIT", file, 1);
  }
  ~WithModule() { setenv("WSEVM_JIT", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(Engines, SayWhatIsMissing) {
  const auto with = [](const char* file) {
    const WithModule other(file);
    return make_engine("jit", {});
  };
  const auto missing = with("/nowhere/wsevm-jit.so");
  const auto other = with("/proc/self/exe");
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().contains("there is no such file")) << missing.error();
  EXPECT_TRUE(missing.error().contains("--engine=interp")) << missing.error();
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().contains("--engine=interp")) << other.error();
}

// 16 PEs or a wafer: the memory of a PE is no part of what is compiled.
TEST(Engines, CompileOnceForAWafer) {
  const auto engine = engine_of("jit", {.threshold = 0});
  const auto machine = make_machine(kWafer, engine.get(), 2);
  const vm::Record record = machine->run({});
  EXPECT_EQ(record.placed_pes, 750'470u);
  EXPECT_EQ(record.native.regions, 1u);
  EXPECT_GT(record.native.instructions, record.counters.instructions * 4 / 5);  // the loop
  EXPECT_EQ(machine->read_symbol(754, 993, "sum")->words[0], 754u + 993u);
}

TEST(Engines, TellProgramsApartByTheirLiterals) {
  const auto engine = engine_of("jit", {.threshold = 0});
  for (const std::uint32_t multiplier : {1664525u, 22695477u}) {
    expect_same(run_loop(engine.get(), 1, vm::kNever, multiplier),
                run_loop(nullptr, 1, vm::kNever, multiplier));
  }
}

// Without a loop they are read, not constants of the code.
TEST(Engines, CompileOnceWhatReadsOtherLiterals) {
  const auto engine = engine_of("jit", {.threshold = 0});
  const auto regions_of = [&](std::uint32_t literal) {
    const std::string text = fmt::format(R"(
.grid 1, 1
.program keeper
  .u32 kept
  task main:
    mov32 r1, {}
    mov32 kept, r1
    halt
.place keeper at (0, 0)
)",
                                         literal);
    const auto machine = make_machine(text, engine.get(), 1,
                                      {.overrides = {}, .profile = *isa::find_profile("wse2")});
    const vm::Record record = machine->run({});
    EXPECT_EQ(machine->read_symbol(0, 0, "kept")->words[0], literal);
    EXPECT_GT(record.native.instructions, 0u);
    return record.native.regions;
  };
  EXPECT_EQ(regions_of(1664525), 1u);
  EXPECT_EQ(regions_of(22695477), 0u);
}

// 1 + 2^-12 squared is 1 + 2^-11 + 2^-24: its last bit is lost before the sum, or counts.
TEST(Engines, RoundAProductBeforeItsSum) {
  constexpr const char* kProduct = R"(
.grid 1, 1
.program product
  .f32 x = 1.000244140625
  .f32 y
  task main:
    mov32 r1, x
    mov32 r2, 0
  again:
    fmuls r3, r1, r1
    fsubs r3, r3, 1.00048828125
    add32 r2, r2, 1
    blt r2, 100, again
    mov32 y, r3
.place product at (0, 0)
)";
  const auto engine = engine_of("jit", {.threshold = 0});
  const auto machine = make_machine(kProduct, engine.get());
  machine->run({});
  EXPECT_EQ(machine->read_symbol(0, 0, "y")->words[0], 0u);
}

// Its own memory that is writable and executable would show while code is made and run.
TEST(Engines, NeverHaveMemoryThatIsWritableAndExecutable) {
  const auto engine = engine_of("jit", {.threshold = 0});
  std::atomic<bool> enough = false;  // seen; a busy host may take long to come to look
  std::atomic<bool> over = false;
  std::jthread runner([&] {
    for (std::uint32_t k = 0; k < 8 || (!enough && k < 1000); ++k) {
      run_loop(engine.get(), 1, vm::kNever, 2 * k + 1, 100'000);
    }
    over = true;
  });
  std::uint32_t looks = 0;
  bool code_seen = false;
  while (!over) {
    std::istringstream maps(test_support::read_text("/proc/self/maps"));
    for (std::string line; std::getline(maps, line);) {
      EXPECT_FALSE(line.contains(" rwx")) << line;
      code_seen = code_seen || (line.contains(" r-xp ") && line.contains(" 00:00 0 "));
    }
    ++looks;
    enough = looks > 10 && code_seen;
  }
  EXPECT_GT(looks, 10u);
  EXPECT_TRUE(code_seen);  // or the test looks at the wrong lines
}

TEST(Engines, AutoNeedsNoCompiler) {
  const WithModule none("/nowhere/wsevm-jit.so");
  const auto engine = engine_of("auto", {.threshold = 0});
  const LoopResult found = run_loop(engine.get(), 1);
  EXPECT_EQ(found.record.native.instructions, 0u);
  expect_same(found, run_loop(nullptr, 1));
}

// Loops need less heat than code that is left as soon as it was entered.
TEST(Engines, CompileLoopsFirst) {
  constexpr const char* kStraight = R"(
.grid 1, 1
.program straight
  .i32 sum
  task main:
    mov32 r1, 3
    add32 r1, r1, 4
    mov32 sum, r1
.place straight at (0, 0)
)";
  const auto regions = [&](const JitOptions& options) {
    const auto engine = engine_of("jit", options);
    const auto machine = make_machine(kStraight, engine.get(), 1,
                                      {.overrides = {}, .profile = *isa::find_profile("wse2")});
    const vm::Record record = machine->run({});
    EXPECT_EQ(machine->read_symbol(0, 0, "sum")->words[0], 7u);
    return record.native.regions;
  };
  EXPECT_EQ(regions({.threshold = 0}), 1u);
  EXPECT_EQ(regions({.threshold = 0, .straight_threshold = ~0u}), 0u);
  const auto engine = engine_of("jit", {.threshold = 0, .straight_threshold = ~0u});
  EXPECT_GT(run_loop(engine.get(), 1).record.native.regions, 0u);
}

TEST(Engines, AutoLeavesShortRunsAlone) {
  const auto engine = engine_of("auto", {});
  EXPECT_EQ(run_loop(engine.get(), 1).record.native.regions, 0u);
}

// Tasks of a few instructions that follow one another are no work for a compiler, whatever their
// number; a loop is.
TEST(Engines, CompileNoShortStretchesIfTheyNeedNot) {
  constexpr const char* kTasks = R"(
.grid 1, 1
.program tasks
  .reg k
  task main:
    mov32 k, 0
    activate turn
  task turn:
    add32 k, k, 1
    blt k, 500, more
    halt
  more:
    activate turn
.place tasks at (0, 0)
)";
  const auto regions = [&](const JitOptions& options) {
    const auto engine = engine_of("jit", options);
    const auto machine = make_machine(kTasks, engine.get());
    const vm::Record record = machine->run({});
    EXPECT_GT(record.counters.instructions, 1500u);
    return record.native.regions;
  };
  EXPECT_GT(regions({.threshold = 0}), 0u);
  EXPECT_EQ(regions({.threshold = 0, .least_stretch = 32}), 0u);
  const auto engine = engine_of("jit", {.threshold = 0, .least_stretch = 32});
  EXPECT_GT(run_loop(engine.get(), 1).record.native.regions, 0u);
}

}  // namespace
}  // namespace wse::jit
