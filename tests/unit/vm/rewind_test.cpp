// Where the machine stops in the middle of scalar code: every PE is at an instruction boundary,
// the last one at or before that cycle. Profile wse2; every number is derived by hand.
#include <gtest/gtest.h>

#include <atomic>

#include "asm/assembler.h"
#include "tests/support/simulation.h"

namespace {

using namespace wse;
using test_support::simulate;
using test_support::Simulation;
using vm::Cycle;
using vm::RunStatus;
using Words = std::vector<std::uint32_t>;

// (0, 0) counts in memory: add 1, store 1, jump 3 - the store of count k ends in cycle 5 k - 3.
// (1, 0) fails an assertion in cycle `trap`, at least 4: jumps of 3 cycles, then adds of 1.
std::string counter_and_trap(Cycle trap) {
  std::string delay;
  for (Cycle cycle = 0; cycle < trap; ++cycle) delay += "    add32 r1, r1, 1\n";
  return R"(
.grid 2, 1
.program counter
  .i32 count
  task main:
  next:
    add32 r1, r1, 1
    mov32 count, r1
    jmp next
.program trapping
  task main:
)" + delay +
         R"(    assert r1 == -1
.place counter at (0, 0)
.place trapping at (1, 0)
)";
}

std::uint32_t count_in(Cycle end) { return static_cast<std::uint32_t>((end + 3) / 5); }

TEST(Rewind, ATrapShowsOtherPesInItsCycle) {
  for (Cycle trap = 1; trap < 40; ++trap) {
    const Simulation s = simulate(counter_and_trap(trap), {.profile = "wse2"});
    ASSERT_EQ(s.record.status, RunStatus::Trap);
    EXPECT_EQ(s.record.cycles, trap + 1);
    EXPECT_EQ(s.words(0, 0, "count"), (Words{count_in(trap)})) << "trap in " << trap;
    // Of the counter: of each 5 cycles the instructions end in 1, 2 and 5. And the adds.
    const Cycle ended = trap / 5 * 3 + (trap % 5 >= 1) + (trap % 5 >= 2);
    EXPECT_EQ(s.record.counters.instructions, ended + trap) << "trap in " << trap;
  }
}

// Also where cycle 0 is looked at twice, since an instruction without elements ends as it starts.
TEST(Rewind, AMarkBehindTheLimitIsNotTold) {
  const std::string text =
      ".grid 2, 1\n.program quick\n  .i32 a[4]\n  task main:\n    mov32 a[0:0], 1\n"
      ".program slow\n  task main:\n    jmp late\n  late:\n    mark late\n"
      ".place quick at (0, 0)\n.place slow at (1, 0)\n";
  test_support::SimulationOptions options;
  options.settings = {{&isa::Profile::branch_taken_cycles, 1000}};
  EXPECT_EQ(simulate(text, options).record.marks.at("late").first, 1000u);
  for (const Cycle limit : {1u, 100u, 1000u}) {
    options.max_cycles = limit;
    EXPECT_TRUE(simulate(text, options).record.marks.empty()) << limit;
  }
}

// What a store would change is kept before it is known to trap: nothing is after the last
// address, and nothing is looked for there.
TEST(Rewind, AStoreAcrossTheLastAddressTraps) {
  for (const std::string address : {"-1", "-2", "-3"}) {
    const Simulation s = simulate(
        ".grid 1, 1\n.program p\n  .i32 a[4]\n  task main:\n    mov32 r1, 0\n"
        "    st32x a[r1], r1\n    st32 mem(" +
        address + "), r1\n.place p at (0, 0)\n");
    EXPECT_EQ(s.record.status, RunStatus::Trap) << address;
  }
}

TEST(Rewind, TheLimitOfCyclesCutsAStretch) {
  for (Cycle limit = 1; limit < 40; ++limit) {
    const Simulation s = simulate(counter_and_trap(1000), {.profile = "wse2", .max_cycles = limit});
    ASSERT_EQ(s.record.status, RunStatus::CycleLimit);
    EXPECT_EQ(s.words(0, 0, "count"), (Words{count_in(limit)})) << "limit " << limit;
  }
}

// Far ahead, where stores are no longer recorded one by one.
TEST(Rewind, ALongStretchIsCutToo) {
  for (const Cycle limit : {50'000u, 170'000u, 180'000u, 1'000'003u, 3'000'001u}) {
    const Simulation alone = simulate(R"(
.grid 1, 1
.program counter
  .i32 count
  .i32 last[100]
  task main:
  next:
    add32 r1, r1, 1
    mov32 count, r1
    jmp next
.place counter at (0, 0)
)",
                                      {.profile = "wse2", .max_cycles = limit});
    EXPECT_EQ(alone.words(0, 0, "count"), (Words{count_in(limit)})) << "limit " << limit;
  }
}

TEST(Rewind, AnInterruptShowsAnInstructionBoundary) {
  const isa::Profile profile = *isa::find_profile("wse2");
  auto machine = vm::Machine::create(*assembler::assemble({"test.wsa", counter_and_trap(1000)},
                                                          {.overrides = {}, .profile = profile})
                                          .image,
                                     profile);
  std::atomic<bool> interrupt = true;
  const vm::Record record = (*machine)->run({.interrupt = &interrupt});
  EXPECT_EQ(record.status, RunStatus::Interrupted);
  EXPECT_EQ(record.message, "interrupted in cycle 0");  // which ran, so that one add has ended
  EXPECT_EQ((*machine)->read_symbol(0, 0, "count")->words, (Words{0}));
  EXPECT_EQ(record.counters.instructions, 2u);
}

// A division holds its result back for 50 cycles, a mark takes none; what an instruction in flight
// writes meanwhile, between the half-words of the stretch, stays.
TEST(Rewind, KeepsWhatInstructionsInFlightWrite) {
  const std::string text = R"(
.grid 1, 1
.colour red, blue
.program one
  .i16 v[16]
  .i16 source[64] = i + 100
  .i32 sum
  .f32 quotient = 7.0
  task main:
    mov32 r6, 0
    fmovs r3, 1.0
    mov16 fabout(red), source[0:8] async 3
    mov16 fabout(blue), source[8:16] async 4
    mov16 v[0:16:2], fabin(red) async 1
    add16 r6, r6, fabin(blue, length=8) async 2
    mov32 r1, 11
    mov16 v[1], r1
    mark here
    mov16 v[3], r1
    fdivs r2, r3, 4.0
    mov32 quotient, r2
    mov16 v[5], r1
    wait 1
    wait 2
    mov32 sum, r6
.place one at (0, 0)
.route red at (0, 0): ramp -> ramp
.route blue at (0, 0): ramp -> ramp
)";
  const Simulation whole = simulate(text, {.profile = "wse2"});
  ASSERT_EQ(whole.record.status, RunStatus::Halted) << whole.record.message;
  const Cycle divided = whole.record.marks.at("here").first + 1 + 50;
  const Simulation before = simulate(text, {.profile = "wse2", .max_cycles = divided});
  EXPECT_EQ(before.words(0, 0, "v"),
            (Words{100, 11, 101, 11, 102, 0, 103, 0, 104, 0, 105, 0, 106, 0, 107, 0}));
  EXPECT_EQ(before.words(0, 0, "quotient"), (Words{0x40e00000}));  // 7.0
  const Simulation after = simulate(text, {.profile = "wse2", .max_cycles = divided + 1});
  EXPECT_EQ(after.words(0, 0, "quotient"), (Words{0x3e800000}));  // 0.25
  EXPECT_EQ(after.words(0, 0, "v")[5], 0u);
  EXPECT_EQ(whole.words(0, 0, "sum"), (Words{8 * 100 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15}));
  EXPECT_EQ(whole.words(0, 0, "v"),
            (Words{100, 11, 101, 11, 102, 11, 103, 0, 104, 0, 105, 0, 106, 0, 107, 0}));
}

// Descriptor registers that a stretch reads and then changes, and random numbers, begin anew.
TEST(Rewind, RepeatsWhatTheStretchDid) {
  const std::string text = R"(
.grid 1, 1
.program one
  .i32 v[16]
  .i32 at[40]
  .i32 noise[40]
  .dsr cursor
  task main:
    setd cursor, v
    mov32 v[0], 5
    mov32 v[1:2], v[0:1]
  next:
    getdbase r1, cursor
    add32 r1, r1, 4
    mov32 at[r2], r1
    setdbase cursor, r1
    random16 r3
    mov32 noise[r2], r3
    add32 r2, r2, 1
    blt r2, 40, next
.place one at (0, 0)
)";
  const Simulation whole = simulate(text, {.profile = "wse2"});
  ASSERT_EQ(whole.record.status, RunStatus::Halted) << whole.record.message;
  // The last word is stored an add and an untaken branch before the end.
  for (Cycle limit = 30; limit + 2 < whole.record.cycles; limit += 7) {
    const Simulation cut = simulate(text, {.profile = "wse2", .max_cycles = limit});
    bool behind = false;
    for (const char* name : {"at", "noise"}) {
      behind = false;
      for (std::size_t k = 0; k < 40; ++k) {
        const std::uint32_t now = cut.words(0, 0, name)[k];
        behind |= now == 0;
        EXPECT_EQ(now, behind ? 0 : whole.words(0, 0, name)[k]) << name << k << " in " << limit;
      }
    }
    EXPECT_TRUE(behind);
  }
}

}  // namespace
