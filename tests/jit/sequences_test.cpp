// Random instruction sequences on both engines at once: whatever they do, no state, charge or trap
// differs, and what the recorder kept puts everything back.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "jit/load_compiler.h"
#include "jit/lockstep.h"
#include "tests/jit/random_code.h"
#include "vm/pe/passing.h"
#include "vm/pe/stretch_log.h"

namespace wse {
namespace {

constexpr std::uint64_t kInstructionsPerProgram = 200'000;
constexpr std::uint64_t kMostPerStretch = 400;

std::uint32_t programs_to_run() {
  const char* const wanted = std::getenv("WSE_SEQUENCES");
  return wanted == nullptr ? 5 : static_cast<std::uint32_t>(std::stoul(wanted));
}

// Refuses one access of some, always the same ones.
struct SomeAccesses : vm::AccessCheck {
  bool allows(const vm::Access& access) override { return access.address % 52 != 48; }
};

struct Before {
  explicit Before(const isa::ScalarState& state)
      : pe(state), memory(state.memory, state.memory + state.memory_bytes) {}

  isa::PeState pe;
  std::vector<std::byte> memory;
};

void expect_equal(const isa::PeState& state, const Before& before) {
  EXPECT_EQ(std::memcmp(state.r, before.pe.r, sizeof state.r), 0);
  EXPECT_EQ(state.pc, before.pe.pc);
  EXPECT_EQ(state.random, before.pe.random);
  EXPECT_EQ(std::memcmp(state.memory, before.memory.data(), state.memory_bytes), 0);
}

// Runs one program; counts how stretches ended and what was executed natively.
struct Tally {
  std::map<isa::Step, std::uint64_t> ends;
  std::uint64_t instructions = 0;
  std::uint64_t native = 0;
  std::uint64_t passed = 0;  // stretches that passed vector instructions
};

// As the machine does it: a stretch stops at a vector instruction that is new, later ones pass it.
void make_plan(vm::Plans& plans, const vm::LoadedProgram& program, const isa::ScalarState& state) {
  if (!isa::info(program.code[state.pc].op).is_vector()) return;
  vm::Plan* own = nullptr;
  std::optional<vm::Complaint> complaint;
  plans.plan(program, state.pc, state.d, {}, own, complaint);
  if (own != nullptr) plans.give_back(own);
}

void run_program(const vm::Engine& engine, std::uint32_t seed, Tally& tally) {
  test_support::RandomCode code(seed);
  const auto executors =
      engine.executors(code.image(), *isa::find_profile("wse2"), std::span(&code.program(), 1), 1);
  vm::Executor& executor = *executors.front();
  const isa::Profile profile = *isa::find_profile("wse2");
  const vm::Planner planner(profile, executor);
  vm::Plans plans(planner);
  SomeAccesses check;
  vm::StretchRecorder recorder;
  vm::StretchLog log;
  std::uint64_t done = 0;
  while (done < kInstructionsPerProgram && executor.problem().empty()) {
    isa::ScalarState& state = code.new_state();
    const std::uint32_t way = code.random().below(4);
    vm::StretchLimits limits{.instructions = 1 + code.random().below(kMostPerStretch)};
    if (way >= 2) limits.check = &check;
    if (way == 3) limits.saved = 1u << code.random().below(isa::kDescriptorRegisters);
    const bool recorded = way != 0 && !code.random().one_in(3);
    if (recorded) limits.recorder = &recorder;
    const vm::VectorPasser passer(plans, code.program(),
                                  code.random().below(2 * code.kMemoryBytes));
    if (way <= 1) {
      limits.passes = code.random().below(2 * kMostPerStretch);
      limits.passer = &passer;
    }
    const Before before(state);
    if (recorded) recorder.begin(log, state, 0, way == 1);
    const isa::Step step = executor.run(state, code.program(), limits);
    ++tally.ends[step];
    if (state.elements > 0) ++tally.passed;
    if (step == isa::Step::Stop) make_plan(plans, code.program(), state);
    done += state.instructions + 1;
    tally.instructions += state.instructions;
    ASSERT_LE(state.instructions, limits.instructions);
    if (!recorded) continue;
    recorder.end(state);
    log.take_back(state);
    expect_equal(state, before);
  }
  EXPECT_EQ(executor.problem(), "") << "seed " << seed;
  tally.native += executor.native_work().instructions;
}

TEST(Sequences, NoEngineDiffers) {
  auto compiler = jit::load_compiler({});
  ASSERT_TRUE(compiler) << compiler.error();
  const jit::LockstepEngine engine(std::move(*compiler), {.threshold = 0});
  Tally tally;
  const std::uint32_t programs = programs_to_run();
  for (std::uint32_t seed = 1; seed <= programs && !HasFailure(); ++seed) {
    run_program(engine, seed, tally);
  }
  EXPECT_GT(tally.instructions, programs * kInstructionsPerProgram * 4 / 5);
  // Stretches begin anywhere and end soon; native code begins at heads.
  EXPECT_GT(tally.native, tally.instructions / 2);
  EXPECT_GT(tally.passed, programs * 100);
  for (const isa::Step step :
       {isa::Step::Next, isa::Step::Stop, isa::Step::Service, isa::Step::Trap}) {
    EXPECT_GT(tally.ends[step], 100u) << static_cast<int>(step);
  }
}

}  // namespace
}  // namespace wse
