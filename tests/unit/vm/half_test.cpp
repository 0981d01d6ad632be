// 16-bit elements in memory, registers and wavelets, returns, and divisors, on a whole machine.
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace {

using wse::test_support::simulate;
using wse::test_support::Simulation;
using wse::vm::RunStatus;

void expect_fine(const char* source) {
  const Simulation simulation = simulate(source);
  EXPECT_EQ(simulation.record.status, RunStatus::Halted) << simulation.record.message;
  for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
}

void expect_trap(const char* source, const std::string& text) {
  const Simulation simulation = simulate(source);
  EXPECT_EQ(simulation.record.status, RunStatus::Trap);
  EXPECT_NE(simulation.record.message.find(text), std::string::npos) << simulation.record.message;
}

TEST(VmHalf, AWaveletCarriesOneElementZeroExtended) {
  expect_fine(R"(
.grid 2, 1
.colour red
.program sender
  .i16 v[5] = -1 - i
  .i32 words[5] = 0x12340000 + i
  .f16 p[5] = 0.5 * i
  task main:
    mov16 fabout(red), v
    add16 fabout(red), v, 1
    mov32 fabout(red), words
    fh2s fabout(red), p
    faddh fabout(red), p, -1.0
.program receiver
  .u32 all[5]
  .i32 zeros[5]
  .u16 low[5]
  .f32 wide[5]
  .f16 half[5]
  task main:
    mov32 all, fabin(red)
    mov32 zeros, fabin(red)
    mov16 low, fabin(red)
    fmovs wide, fabin(red)
    fmovh half, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.expect all at (1, 0) == 65535 - i
.expect zeros at (1, 0) == (65536 - i) % 65536
.expect low at (1, 0) == i
.expect wide at (1, 0) == 0.5 * i
.expect half at (1, 0) == 0.5 * i - 1
)");
}

TEST(VmHalf, ARegisterAccumulatesItsLowHalf) {
  expect_fine(R"(
.grid 1, 1
.program p
  .i16 v[5] = i - 4
  .f16 h[5] = i + 0.25
  .f32 total = 100
  task main:
    mov32 r1, 0x7fff0003
    add16 r1, r1, v
    assert r1 == 65529
    xp162xp32 r1, r1
    assert r1 == -7
    mov32 r2, 0x12340000
    mov16 v[1:1], r2
    add16 r2, r2, v[1:1]
    assert r2 == 0x12340000
    fmovh r3, 0.0
    faddh r3, r3, h
    fh2s r3, r3
    assert r3 == 11.25
    faddhs total, h, total
.place p at (0, 0)
.expect total at (0, 0) == 111.25
)");
}

TEST(VmHalf, AlignmentAndBoundsFollowTheElement) {
  expect_fine(R"(
.grid 1, 1
.program p
  .i16 v[3] = i
  .i16 w[3]
  task main:
    mov16 w, mem(0, length=3, stride=1)
    mov16 w[2:0:-1], v[0:2]
.place p at (0, 0)
.expect w at (0, 0) == i == 0 ? 0 : 2 - i
)");
  constexpr const char* kMisaligned = R"(
.grid 1, 1
.program p
  .i16 v[6] = i
  task main:
    mov32 mem(2, length=1, stride=1), 1
.place p at (0, 0)
)";
  expect_trap(kMisaligned, "byte address 2 of a 32-bit operand");
}

TEST(VmHalf, OverlapOfDifferentSizesTraps) {
  expect_trap(R"(
.grid 1, 1
.program p
  .f16 v[8] = i
  task main:
    fh2s mem(0, length=4, stride=1), v[0:4]
.place p at (0, 0)
)",
              "destination bytes 0..15 and source bytes 0..7");
}

TEST(VmHalf, AReturnToNoInstructionTraps) {
  expect_trap(R"(
.grid 1, 1
.program p
  task main:
    mov32 r1, 1000
    ret r1
.place p at (0, 0)
)",
              "code word 1000 of 2");
}

TEST(VmHalf, DivisionByZeroTraps) {
  expect_trap(R"(
.grid 1, 1
.program p
  .i32 n
  task main:
    divs32 r1, 7, n
.place p at (0, 0)
)",
              "divided by zero");
}

}  // namespace
