// Does the next instruction of a main thread wait for no more than the last issue of a vector
// instruction, and for its finish where it sees that (Profile::vector_overlap)?
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::test_laws::succession {
namespace {

using isa::Profile;
using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;

// On wse2-before with overlap: start 2, drain 4, a load of a descriptor 10. Products issue one
// element per cycle, moves two.
Simulation run_text(const std::string& text, std::uint32_t latency) {
  Simulation s = simulate(text, {.profile = "wse2-before",
                                 .settings = {{&Profile::vector_overlap, 1},
                                              {&Profile::vector_latency_cycles, latency}}});
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
  return s;
}

Simulation run(const std::string& body, std::uint32_t latency = 2) {
  return run_text(R"(
.grid 1, 1
.program one
  .f32 a[64] = i
  .i32 gap
  .f32 b[64] = 1
  .f32 c[64]
  .f32 e[64]
  .i32 n
)" + body + "\n.place one at (0, 0)\n",
                  latency);
}

std::uint64_t cycles(const std::string& body, std::uint32_t latency = 2) {
  return run("  task main:\n" + body, latency).record.cycles;
}

// 30 cycles of loads, then n products from cycle 32 on.
std::string product(const std::string& n) {
  return "    setd d0, c[0:" + n + "]\n    setd d1, a[0:" + n + "]\n    setd d2, b[0:" + n +
         "]\n    fmuls d0, d1, d2\n";
}

TEST(Succession, StartCountsFromTheLoad) {
  const std::string loads = "    setd d0, c\n    setd d1, a\n    setd d2, b\n    setd d3, e\n";
  const std::string again = "    fmuls d3, d1, d2\n";
  EXPECT_EQ(cycles(product("64")), 30u + 2 + 64 + 4);
  EXPECT_EQ(cycles(loads + "    fmuls d0, d1, d2\n" + again), 40u + 2 + 64 + 64 + 4);
  EXPECT_EQ(cycles(product("64") + "    setd d3, e\n" + again), 30u + 2 + 64 + 10 + 2 + 64 + 4);
  EXPECT_EQ(cycles(product("64") + "    setd d3, e\n    mov32 r1, 5\n    mov32 r2, 5\n" + again),
            30u + 2 + 64 + 10 + 2 + 64 + 4);  // which take the start
}

TEST(Succession, WordsOfTheFormerTakeTheirLatency) {
  const auto with = [](const std::string& source, std::uint32_t latency) {
    return cycles(
        "    setd d3, e[0:8]\n    setd d4, " + source + "\n" + product("8") + "    fmovs d3, d4\n",
        latency);
  };
  const std::uint64_t apart = 50 + 2 + 8 + 4 + 4;
  EXPECT_EQ(with("a[0:8]", 10), apart);
  EXPECT_EQ(with("c[0:8]", 2), apart);  // the first product is there, and so are the others in time
  EXPECT_EQ(with("c[0:8]", 10), apart + 2);     // 10 cycles after the first product
  EXPECT_EQ(with("c[7:-1:-1]", 2), apart + 1);  // 2 cycles after the last one
  EXPECT_EQ(with("c[7:-1:-1]", 10), apart + 9);
  EXPECT_EQ(with("c[4:12]", 10), apart + 9);
}

TEST(Succession, OfOneElementTheNextWaitsForIt) {
  EXPECT_EQ(cycles(product("1") + "    fadds d0, d0, d1\n"), 32u + 1 + 1 + 1 + 4);
  EXPECT_EQ(cycles(product("1") + "    fadds d1, d1, d2\n"),
            32u + 1 + 1 + 4);  // reads what it read
}

// A word that is sent to the own PE is received 2 T + 1 = 5 cycles after its issue; by then all
// have been sent, which share the slot.
TEST(Succession, AnAsynchronousInstructionWaitsForTheWordsOfTheFormer) {
  const auto cycles = [](std::uint32_t latency) {
    const std::string text = R"(
.grid 1, 1
.colour own
.route own at (0, 0): ramp -> ramp
.program one
  .f32 a[4] = i
  .i32 gap
  .f32 b[4] = 1
  .f32 c[4]
  .f32 e[4]
  task main:
    setd d3, fabout(own)
    setd d4, e
    setd d5, fabin(own, length=4)
)" + product("4") + R"(
    fmovs d3, d0 async 1
    fmovs d4, d5
.place one at (0, 0)
.expect e[0:4] at (0, 0) == i
)";
    return run_text(text, latency).record.cycles;
  };
  EXPECT_EQ(cycles(2), 66u + 5 + 4 + 4);        // sends from the end of the products on
  EXPECT_EQ(cycles(20), 62u + 20 + 5 + 4 + 4);  // 20 cycles after the first of them
}

TEST(Succession, RegistersContinueWhereMemoryWaits) {
  EXPECT_EQ(cycles(product("64") + "    add32 r1, r1, 1\n"), 100u);
  EXPECT_EQ(cycles(product("64") + "    add32 r1, r1, 1\n    add32 r1, r1, 1\n"), 100u);
  EXPECT_EQ(cycles(product("64") + "    mov32 r1, n\n"), 100u + 2);
  EXPECT_EQ(cycles(product("64") + "    mov32 n, r1\n"), 100u + 1);
  EXPECT_EQ(cycles(product("64") + "    std e[0], d0\n"), 100u + 10);
  EXPECT_EQ(cycles(product("64") + "    getleft r1\n"), 100u + 1);
  EXPECT_EQ(cycles(product("64") + "    tsc r1\n    assert r1 == 100\n"), 100u + 14);
  const std::string sum =
      "    fadds r1, r1, d1\n    add32 r2, r2, 1\n";  // 32 issues, and its drain
  EXPECT_EQ(cycles(product("64") + sum), 96u + 32 + 4 + 1);
}

TEST(Succession, AMarkNotesTheFinish) {
  const Simulation s =
      run("  task main:\n" + product("64") + "    mark done\n    add32 r1, r1, 1\n");
  EXPECT_EQ(s.record.marks.at("done").last, 100u);
  EXPECT_EQ(s.record.cycles, 100u);
}

TEST(Succession, ATaskEndsWhenItsVectorsHaveDrained) {
  const std::string text =
      "  task main:\n    activate after\n" + product("64") + "    end\n  task after:\n    halt\n";
  EXPECT_EQ(run(text).record.cycles, 101u + 13);
}

}  // namespace
}  // namespace wse::test_laws::succession
