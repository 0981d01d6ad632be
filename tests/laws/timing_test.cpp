// Timing rules one by one: what delays what, by how many cycles, on which profile.
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::test_laws::timing {
namespace {

using isa::Profile;
using test_support::Settings;
using test_support::simulate;
using test_support::Simulation;
using test_support::SimulationOptions;
using vm::Activity;
using vm::RunStatus;

std::uint64_t cycles_of(const Simulation& s, Activity activity) {
  return s.record.counters.pe_cycles[static_cast<std::size_t>(activity)];
}

// One PE with two arrays of 64 words in different (or the same) banks.
Simulation on_one_pe(const std::string& body, const std::string& profile,
                     const std::string& gap = "1", const Settings& settings = {}) {
  const std::string text = R"(
.const GAP = 1
.grid 1, 1
.colour red
.program one
  .f32 a[64] = i
  .i32 gap[GAP]
  .f32 b[64] = 1
  .f32 c[64]
  .f32 wide[64]
  .i32 n
  task main:
)" + body + R"(
.place one at (0, 0)
.route red at (0, 0): ramp -> ramp
)";
  return simulate(text, {.values = {{"GAP", gap}}, .profile = profile, .settings = settings});
}

std::uint64_t model_cycles(const std::string& body, const std::string& gap = "1") {
  return on_one_pe(body, "model", gap).record.cycles;
}

TEST(Timing, VectorRates) {
  EXPECT_EQ(model_cycles("    fmuls c, a, b"), 64u);  // not in the SIMD table
  EXPECT_EQ(model_cycles("    fadds c, a, b"), 32u);  // 32-bit add: 2 per cycle
  EXPECT_EQ(model_cycles("    fmovs c, a"), 32u);
  EXPECT_EQ(model_cycles("    fmovs c[0:8], a[0:64:8]"), 8u);    // stride 16 words: one bank
  EXPECT_EQ(model_cycles("    fmovs c[0:22], a[0:64:3]"), 11u);  // stride 6 words: full rate
  EXPECT_EQ(model_cycles("    fmovs c[0:9], a[8:-1:-1]"), 5u);   // stride -2 words: full rate
  EXPECT_EQ(model_cycles("    fmovs c[0:1], a[0:1]"), 1u);
}

// The profiles have ports for all that their SIMD table allows; narrower ones limit it.
TEST(Timing, MemoryPortsLimitTheRate) {
  const auto cycles = [](const std::string& line, const Settings& settings) {
    const std::string text =
        ".grid 1, 1\n.program one\n  .f32 a[64]\n  .i32 gap\n  .f32 b[64]\n"
        "  .f32 c[64]\n  task main:\n    " +
        line + "\n.place one at (0, 0)\n";
    return simulate(text, {.settings = settings}).record.cycles;
  };
  EXPECT_EQ(cycles("fadds c, a, b", {}), 32u);
  EXPECT_EQ(cycles("fadds c, a, b", {{&Profile::read_port_bytes, 8}}), 64u);  // two sources
  EXPECT_EQ(cycles("fmovs c, a", {{&Profile::read_port_bytes, 8}}), 32u);
  EXPECT_EQ(cycles("fmovs c, a", {{&Profile::write_port_bytes, 4}}), 64u);
}

TEST(Timing, BankConflictTakesTwoCyclesPerIssue) {
  EXPECT_EQ(model_cycles("    fmuls c, a, b", "1"), 64u);   // banks 0 and 2
  EXPECT_EQ(model_cycles("    fmuls c, a, b", "2"), 128u);  // banks 0 and 4: equal modulo 4
  const Simulation model = on_one_pe("    fmuls c, a, b", "model", "2");
  EXPECT_EQ(cycles_of(model, Activity::MemoryStall), 64u);
  EXPECT_EQ(cycles_of(model, Activity::Busy), 64u);
  const Simulation wse2 = on_one_pe("    fmuls c, a, b", "wse2-before", "2");
  EXPECT_EQ(cycles_of(wse2, Activity::MemoryStall), 64u);
  EXPECT_EQ(cycles_of(wse2, Activity::Busy), 30u + 2 + 64 + 4);
}

// Two elements of f32 sums issue: four words of each source, of eight banks.
TEST(Timing, WordsOfAWholeIssueConflict) {
  const auto cycles = [](const std::string& line, const std::string& gap, std::uint32_t width) {
    const std::string text = ".grid 1, 1\n.program one\n  .f32 a[64]\n  .i32 gap[" + gap +
                             "]\n  .f32 b[64]\n  .f32 c[64]\n  task main:\n    " + line +
                             "\n.place one at (0, 0)\n";
    const Settings settings = {{&Profile::bank_conflict_banks, 8},
                               {&Profile::bank_conflict_width, width}};
    return simulate(text, {.settings = settings}).record.cycles;
  };
  EXPECT_EQ(cycles("fadds c, a, b", "1", 0), 32u);  // words 0..3 and 2..5, the first ones apart
  EXPECT_EQ(cycles("fadds c, a, b", "1", 1), 64u);
  EXPECT_EQ(cycles("fadds c, a, b", "2", 1), 32u);  // words 0..3 and 4..7
  EXPECT_EQ(cycles("fadds c, a, b", "3", 1), 64u);  // words 0..3 and 6..9
  EXPECT_EQ(cycles("fadds c, a, b", "4", 0), 64u);
  EXPECT_EQ(cycles("fmuls c, a, b", "1", 1), 64u);  // words 0 and 1, 2 and 3: one element issues
  EXPECT_EQ(cycles("fmuls c, a, b", "4", 1), 128u);
}

// n + 6 and 2 n + 6, and the descriptors: held, literals, or from memory.
TEST(Timing, MeasuredVectorMultiply) {
  const auto span = [](const std::string& before, const std::string& body,
                       const std::string& gap = "1") {
    const std::string text = before + "    mark begin\n" + body + "\n    mark end";
    const auto& marks = on_one_pe(text, "wse2", gap).record.marks;
    return marks.at("end").last - marks.at("begin").first;
  };
  const std::string loads = "    setd d0, c\n    setd d1, a\n    setd d2, b\n";
  const std::string stores = "    std wide[0], d0\n    std wide[14], d1\n    std wide[28], d2\n";
  const std::string fetches = "    ldd d0, wide[0]\n    ldd d1, wide[14]\n    ldd d2, wide[28]\n";
  const std::string product = "    fmuls d0, d1, d2";
  EXPECT_EQ(span(loads, product), 64u + 6);
  EXPECT_EQ(span("", "    fmuls c, a, b"), 64u + 6 + 3);
  EXPECT_EQ(span("", "    fmuls c, a, b", "2"), 2 * 64u + 6 + 3);
  EXPECT_EQ(span(loads + stores, fetches + product), 64u + 6 + 3 * 11);
}

TEST(Timing, ScalarCosts) {
  const auto cost = [](const std::string& body) { return on_one_pe(body, "wse2").record.cycles; };
  EXPECT_EQ(cost("    mov32 r1, 5"), 1u);
  EXPECT_EQ(cost("    add32 r1, r1, 5\n    add32 r1, r1, 5"), 2u);
  EXPECT_EQ(cost("    mov32 r1, n"), 2u);             // load
  EXPECT_EQ(cost("    mov32 n, r1"), 1u);             // store
  EXPECT_EQ(cost("    beq r1, 1, away\naway:"), 1u);  // not taken
  EXPECT_EQ(cost("    beq r1, 0, away\naway:"), 3u);  // taken
  EXPECT_EQ(on_one_pe("    beq r1, 1, away\naway:", "wse2", "1", {{&Profile::branch_cycles, 4}})
                .record.cycles,
            4u);
  EXPECT_EQ(cost("    jmp away\naway:"), 3u);
  EXPECT_EQ(cost("    fdivs r1, r2, r3"), 50u);
  EXPECT_EQ(cost("    tsc r1\n    tsc r2"), 4u);
  EXPECT_EQ(cost("    fmovs c[0:0], a[0:0]"), 1u + 1 + 2 + 4);  // length 0: loads, start, drain
  EXPECT_EQ(model_cycles("    fmovs c[0:0], a[0:0]"), 0u);
}

TEST(Timing, PeCyclesAddUp) {
  for (const char* profile : {"model", "wse2", "wse2-before"}) {
    for (const char* program : {"reduce-chain", "broadcast", "heat"}) {
      SimulationOptions options{.profile = profile};
      if (std::string(program) == "heat") {
        options.values = {{"W", "6"}, {"H", "5"}, {"N", "3"}, {"steps", "4"}};
      }
      const Simulation s = wse::test_support::simulate_program(program, options);
      std::uint64_t sum = 0;
      for (const std::uint64_t cycles : s.record.counters.pe_cycles) sum += cycles;
      EXPECT_EQ(sum, s.record.cycles * s.record.placed_pes) << program << " on " << profile;
    }
  }
}

TEST(Timing, LowerColourGoesFirst) {
  // Colour low comes from PE 0, colour high from PE 1; both want the link from PE 1 to PE 2.
  const Simulation s = simulate(R"(
.grid 3, 1
.colour low = 3, high = 7
.program sender(mine: colour)
  .i32 v[32] = i
  task main:
    mov32 fabout(mine), v
.program receiver
  .i32 a[32]
  .i32 b[32]
  .microthread other
  task main:
    mov32 b, fabin(high) async other
    mov32 a, fabin(low)
    mark low_done
    wait other
    mark high_done
.place sender at (0, 0) with mine = low
.place sender at (1, 0) with mine = high
.place receiver at (2, 0)
.route low at (0, 0): ramp -> east
.route low at (1, 0): west -> east
.route low at (2, 0): west -> ramp
.route high at (1, 0): ramp -> east
.route high at (2, 0): west -> ramp
)");
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  // `high` has the link for one cycle before `low` arrives; then `low` holds it for its 32 words,
  // and the other 31 of `high` follow.
  EXPECT_EQ(s.record.marks.at("low_done").first, 32u + 2 + 5);
  EXPECT_EQ(s.record.marks.at("high_done").first, 64u + 1 + 5);
  EXPECT_EQ(s.record.counters.max_distance, 2u);
  EXPECT_EQ(s.record.max_link_load, 64u);
}

TEST(Timing, ALinkCarriesOneWaveletPerCycle) {
  // As above, but the two colours end at different PEs: only the link makes one wait for the other.
  const Simulation s = simulate(R"(
.grid 4, 1
.colour low, high
.program sender(mine: colour)
  .i32 v[32] = i
  task main:
    mov32 fabout(mine), v
.program near
  .i32 v[32]
  task main:
    mov32 v, fabin(low)
    mark near
.program far
  .i32 v[32]
  task main:
    mov32 v, fabin(high)
    mark far
.place sender at (0, 0) with mine = low
.place sender at (1, 0) with mine = high
.place near at (2, 0)
.place far at (3, 0)
.route low at (0, 0): ramp -> east
.route low at (1, 0): west -> east
.route low at (2, 0): west -> ramp
.route high at (1, 0): ramp -> east
.route high at (2, 0): west -> east
.route high at (3, 0): west -> ramp
)");
  EXPECT_EQ(s.record.marks.at("near").first, 32u + 2 + 5);
  EXPECT_EQ(s.record.marks.at("far").first, 64u + 2 + 5);
}

TEST(Timing, SetUpIsWorkEvenIfNothingIssues) {
  const Simulation s = simulate(R"(
.grid 1, 1
.colour red
.program p
  task main:
    mov32 r1, fabin(red)
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
)",
                                {.profile = "wse2-before"});
  EXPECT_EQ(s.record.status, wse::vm::RunStatus::Deadlock);
  EXPECT_EQ(s.record.cycles, 10u + 2);  // descriptor load and vector start
  EXPECT_EQ(s.record.counters.pe_cycles[0], 10u + 2);
}

TEST(Timing, CountersEndWithTheLastIssue) {
  // Four words fill the ramp, two cycles each since the sources are in one bank; then it is full.
  const Simulation s = simulate(R"(
.grid 1, 1
.colour red
.program p
  .f32 v[8]
  .f32 w[8]
  task main:
    fadds fabout(red), v, w
.place p at (0, 0)
.route red at (0, 0): [ramp -> ramp] torn_down
)");
  EXPECT_EQ(s.record.status, wse::vm::RunStatus::Deadlock);
  EXPECT_EQ(s.record.cycles, 7u);
  EXPECT_EQ(s.record.counters.elements, 4u);
  EXPECT_EQ(s.record.counters.flops, 4u);
  const std::array<std::uint64_t, wse::vm::kActivities> expected = {4, 3, 0, 0, 0};
  EXPECT_EQ(s.record.counters.pe_cycles, expected);
}

TEST(Timing, BackPressureHoldsTheSender) {
  // The receiver starts 200 cycles late; ramp, router and ramp hold 4 + 2 + 4 words meanwhile.
  const Simulation s = simulate(R"(
.grid 2, 1
.colour red
.program sender
  .i32 v[32] = i
  task main:
    mov32 fabout(red), v
    mark sent
.program receiver
  .i32 v[32]
  .i32 w[400]
  task main:
    mov32 w[200:400], w[0:200]
    mul32 w[0:100], w[0:100], w[0:100]
    mark ready
    mov32 v, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.expect v at (1, 0) == i
)");
  EXPECT_TRUE(s.failed_expectations.empty());
  const std::uint64_t ready = s.record.marks.at("ready").first;
  EXPECT_EQ(ready, 300u);  // 100 cycles for the move, 200 for the product, whose banks conflict
  EXPECT_EQ(s.record.cycles, ready + 32);
  // Ten words fit between the two programs; the eleventh enters the up-ramp three cycles after the
  // receiver made room: its down-ramp, its router's queue, the sender's up-ramp, one cycle each.
  EXPECT_EQ(s.record.marks.at("sent").first, ready + 3 + (32 - 10));
  EXPECT_GT(cycles_of(s, Activity::WaitOutput), 250u);
}

TEST(Timing, MulticastWaitsForItsSlowestTarget) {
  // PE 1 passes on to PE 2 and to itself; itself it takes late, so PE 2 gets only what PE 1 could
  // buffer: 4 words in the down-ramp.
  const Simulation s = simulate(R"(
.grid 3, 1
.colour red
.program root
  .i32 v[16] = i
  task main:
    mov32 fabout(red), v
.program late
  .i32 v[16]
  .i32 w[100]
  task main:
    mul32 w, w, 3
    mov32 v, fabin(red)
.program leaf
  .i32 v[16]
  task main:
    mov32 v[0:4], fabin(red)
    mark four
    mov32 v[4:5], fabin(red)
    mark fifth
    mov32 v[5:16], fabin(red)
.place root at (0, 0)
.place late at (1, 0)
.place leaf at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east, ramp
.route red at (2, 0): west -> ramp
.expect v at (1..2, 0) == i
)");
  EXPECT_TRUE(s.failed_expectations.empty());
  EXPECT_EQ(s.record.marks.at("four").first, 4u + 2 + 5);
  EXPECT_EQ(s.record.marks.at("fifth").first, 100u + 1 + 1 + 2 + 1);
}

TEST(Timing, SharedSlotGoesToTheLowerThread) {
  // Two microthreads and the main thread send, each to another side; all want the one slot of wse2.
  const Simulation s = simulate(R"(
.grid 3, 2
.colour a, b, c
.program sender
  .i32 v[8] = i
  .microthread first, second
  task main:
    setd d0, fabout(a)
    setd d1, fabout(b)
    setd d2, fabout(c)
    setd d3, v
    mov32 d1, d3 async first
    mov32 d2, d3 async second
    mov32 d0, d3
    mark main
    wait first
    mark first
    wait second
    mark second
.program receiver(mine: colour)
  .i32 v[8]
  task main:
    mov32 v, fabin(mine)
.place sender at (1, 0)
.place receiver at (0, 0) with mine = a
.place receiver at (2, 0) with mine = b
.place receiver at (1, 1) with mine = c
.route a at (1, 0): ramp -> west
.route b at (1, 0): ramp -> east
.route c at (1, 0): ramp -> south
.route a at (0, 0): east -> ramp
.route b at (2, 0): west -> ramp
.route c at (1, 1): north -> ramp
)",
                                {.profile = "wse2-before"});
  ASSERT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  const auto& marks = s.record.marks;
  EXPECT_EQ(marks.at("main").first, 40u + 2 + 8 + 4);
  EXPECT_EQ(marks.at("first").first, 40u + 2 + 16 + 4);
  EXPECT_EQ(marks.at("second").first, 40u + 2 + 24 + 4);
}

TEST(Timing, DuplexSendsBesideCompute) {
  const std::string text = R"(
.grid 2, 1
.colour red
.program sender
  .i32 v[32] = i
  .i32 w[64]
  .microthread out
  task main:
    mov32 fabout(red), v async out
    mul32 w[0:32], w[0:32], 3
.program receiver
  .i32 v[32]
  task main:
    mov32 v, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)";
  EXPECT_EQ(simulate(text).record.cycles, 32u + 1 + 5);
}

}  // namespace
}  // namespace wse::test_laws::timing
