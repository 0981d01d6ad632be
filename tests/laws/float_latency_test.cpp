// Does float arithmetic take its latency where the next instruction, or the next element, needs its
// result (Profile::float_latency_cycles), and nowhere else?
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::test_laws::float_latency {
namespace {

using isa::Profile;
using test_support::Settings;
using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;

// On `model`, where what has no price here takes no time.
std::uint64_t cycles(const std::string& body, std::uint32_t latency, const Settings& more = {}) {
  Settings settings = {{&Profile::float_latency_cycles, latency}};
  settings.insert(settings.end(), more.begin(), more.end());
  const Simulation s = simulate(R"(
.grid 1, 1
.colour red
.program one
  .f32 a[64] = i
  .f16 h[64] = 1
  .f32 c[64]
  .i32 v[64] = i
  .microthread out
  task main:
)" + body + R"(
.place one at (0, 0)
.route red at (0, 0): ramp -> ramp
)",
                                {.settings = settings});
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
  return s.record.cycles;
}

TEST(FloatLatency, ASumInARegisterTakesItsElementsOneByOne) {
  EXPECT_EQ(cycles("    fadds r1, r1, a", 0), 32u);
  EXPECT_EQ(cycles("    fadds r1, r1, a", 1), 64u);
  EXPECT_EQ(cycles("    fadds r1, r1, a", 2), 128u);
  EXPECT_EQ(cycles("    faddh r1, r1, h[0:9]", 2), 18u);
  EXPECT_EQ(cycles("    fmacs r1, r1, a, r2", 3), 192u);
  EXPECT_EQ(cycles("    fadds r1, r1, a[0:1]", 2), 2u);
  EXPECT_EQ(cycles("    fadds c, c, a", 2), 64u);    // into memory: a conflict of banks alone
  EXPECT_EQ(cycles("    fmaxs r1, r1, a", 2), 64u);  // no arithmetic
  EXPECT_EQ(cycles("    add32 r1, r1, v", 2), 32u);
  EXPECT_EQ(cycles("    fmuls r1, r2, a", 2), 64u);  // none needs the one before it
}

// Words that arrive in every cycle are taken in every other one.
TEST(FloatLatency, ASumOfWordsFromAFabricTakesItToo) {
  const std::string send = "    fmovs fabout(red), a[0:8] async out\n";
  const std::string receive = "    fadds r1, r1, fabin(red, length=8)";
  EXPECT_EQ(cycles(send + receive, 2), cycles(send + receive, 0) + 8);
}

TEST(FloatLatency, WhatTheNextInstructionReadsTakesIt) {
  const Settings one = {
      {&Profile::simple_cycles, 1}, {&Profile::branch_cycles, 1}, {&Profile::divide_cycles, 1}};
  const auto price = [&](const std::string& body) { return cycles(body, 2, one); };
  const std::string sum = "    fadds r1, r2, r3\n";
  EXPECT_EQ(price(sum), 1u);
  EXPECT_EQ(price(sum + "    fadds r4, r1, r3"), 3u);
  EXPECT_EQ(price(sum + "    fadds r4, r3, r1"), 3u);
  EXPECT_EQ(price(sum + "    fmacs r4, r3, r1, r3"), 3u);
  EXPECT_EQ(price(sum + "    fadds r1, r2, r3"), 2u);  // writes it alone
  EXPECT_EQ(price(sum + "    fadds r4, r2, r3\n    fadds r5, r1, r3"), 3u);
  EXPECT_EQ(price(sum + "    mark here\n    assert r4 == 0\n    mov32 r4, r1"), 3u);
  EXPECT_EQ(price(sum + "    mov32 c[r2], r1"), 3u);
  EXPECT_EQ(price(sum + "    mov32 r4, c[r1]"), 2u);
  EXPECT_EQ(price("    mov32 r1, r2\n    mov32 r3, r1"), 2u);  // no float arithmetic
  EXPECT_EQ(price("    fmovs r1, r2\n    fmovs r3, r1"), 2u);
  EXPECT_EQ(price("    jmp on\n" + sum + "  on:\n    mov32 r4, r1"), 1u);
}

TEST(FloatLatency, AVectorInstructionThatReadsItWaits) {
  const std::string loads = "    setd d0, c\n    setd d1, a\n    fadds r1, r2, r3\n";
  EXPECT_EQ(cycles(loads + "    fmuls d0, d1, r1", 2), 2u + 64);
  EXPECT_EQ(cycles(loads + "    fmuls d0, d1, r2", 2), 64u);
  EXPECT_EQ(cycles(loads + "    fadds r1, r1, d1", 2), 2u + 128);
}

}  // namespace
}  // namespace wse::test_laws::float_latency
