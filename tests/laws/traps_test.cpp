// Where a machine is that has trapped: the cycle of the trap runs to its end everywhere, scalar
// code is as at its start. What the record and the trace say of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/simulation.h"

namespace wse::test_laws::traps {
namespace {

using test_support::simulate;
using test_support::Simulation;
using vm::Cycle;
using vm::RunStatus;

// PE 0 sends words to PE 1, which receives them on a microthread; the main thread of PE 1 asserts
// after one divide. PE 2 stores a number in every second cycle.
const std::string kReceiver = R"(
.grid 3, 1
.colour red
.program sender
  .i32 v[100] = i + 1
  task main:
    mov32 fabout(red), v
.program receiver
  .i32 v[100]
  .microthread receiving
  task main:
    mov32 v, fabin(red) async receiving
    fdivs r1, r1, r1
    mark  over
    assert r1 == 5
    mov32 v[99], r1
.program clock
  .i32 ticks
  task main:
  again:
    add32 ticks, ticks, 1
    jmp   again
.place sender   at (0, 0)
.place receiver at (1, 0)
.place clock    at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)";

std::vector<nlohmann::json> events(const Simulation& s, const std::string& name, int x) {
  std::vector<nlohmann::json> found;
  for (const std::string& line : s.trace) {
    nlohmann::json json = nlohmann::json::parse(line);
    if (json["event"] == name && json["pe"][0] == x) found.push_back(std::move(json));
  }
  return found;
}

TEST(Trap, MicrothreadsAndRoutersDoTheCycleOfTheTrap) {
  const Simulation s = simulate(kReceiver, {.profile = "wse2", .trace = true});
  ASSERT_EQ(s.record.status, RunStatus::Trap);
  ASSERT_TRUE(s.record.trap.has_value());
  const Cycle trap = s.record.trap->cycle;
  EXPECT_EQ(trap, s.record.marks.at("over").first);
  EXPECT_EQ(s.record.cycles, trap + 1);
  const auto received = events(s, "issue", 1);
  ASSERT_FALSE(received.empty());
  const Cycle first = received.front()["cycle"];
  // A word in every cycle, that of the trap too; memory has all of them, and nothing more.
  EXPECT_EQ(received.back()["cycle"], trap);
  ASSERT_EQ(received.size(), trap - first + 1);
  const std::vector<std::uint32_t> words = s.words(1, 0, "v");
  for (std::size_t k = 0; k < words.size(); ++k) {
    EXPECT_EQ(words[k], k < received.size() ? k + 1 : 0) << k;
  }
  EXPECT_EQ(events(s, "issue", 0).back()["cycle"], trap);  // so it is at other PEs
  EXPECT_EQ(events(s, "move", 1).back()["cycle"], trap);   // and at routers
}

// A load, an addition, a store and a jump: 2 + 1 + 1 + 3 cycles. What ends after the start of the
// trap's cycle has not been done.
TEST(Trap, ScalarCodeStandsAtTheStartOfItsCycle) {
  for (const std::string more :
       {"", "    add32 r2, r2, 1\n", "    add32 r2, r2, 1\n    add32 r2, r2, 1\n"}) {
    std::string text = kReceiver;
    text.insert(text.find("    mark  over"), more);
    const Simulation s = simulate(text, {.profile = "wse2"});
    ASSERT_TRUE(s.record.trap.has_value());
    const Cycle trap = s.record.trap->cycle;
    EXPECT_EQ(s.words(2, 0, "ticks")[0], (trap + 3) / 7) << trap;
  }
}

TEST(Trap, TheRecordAndTheTraceNameIt) {
  const Simulation s = simulate(kReceiver, {.profile = "wse2", .trace = true});
  ASSERT_TRUE(s.record.trap.has_value());
  const wse::vm::TrapRecord& trap = *s.record.trap;
  EXPECT_EQ(wse::isa::info(trap.kind).text, "assertion");
  EXPECT_EQ(trap.x, 1u);
  EXPECT_EQ(trap.y, 0u);
  EXPECT_EQ(trap.line, "test.wsa:15");
  EXPECT_NE(trap.detail, "");
  const nlohmann::json last = nlohmann::json::parse(s.trace.back());
  const nlohmann::json expected = {{"cycle", trap.cycle}, {"pe", {1, 0}},
                                   {"event", "trap"},     {"text", "assertion"},
                                   {"line", trap.line},   {"detail", trap.detail}};
  EXPECT_EQ(last, expected);
  const auto is_trap = [](const std::string& line) { return line.contains("\"trap\""); };
  EXPECT_EQ(std::ranges::count_if(s.trace, is_trap), 1);
  const Simulation fine =
      simulate(".grid 1, 1\n.program p\n  task main:\n.place p at (0, 0)\n", {.trace = true});
  EXPECT_FALSE(fine.record.trap.has_value());
  EXPECT_EQ(std::ranges::count_if(fine.trace, is_trap), 0);
}

// Code runs ahead of the clock, but its marks and prints come in their cycles: also where an
// instruction without elements ends in cycle 0, so that the machine looks at that cycle twice.
TEST(Trap, NothingOfLaterCyclesIsTold) {
  const Simulation s = simulate(R"(
.grid 2, 1
.program ahead
  .i32 v[4]
  task main:
    mov32 v[0:0], 1
    fdivs r1, r1, r1
    mark  late
    print "late"
.program trapping
  .i32 v[4]
  task main:
    mov32 v, 1
    assert r1 == 1
.place ahead at (0, 0)
.place trapping at (1, 0)
)",
                                {.settings = {{&wse::isa::Profile::divide_cycles, 40}}});
  ASSERT_TRUE(s.record.trap.has_value());
  EXPECT_LT(s.record.trap->cycle, 40u);
  EXPECT_FALSE(s.record.marks.contains("late"));
  EXPECT_TRUE(s.printed.empty());
}

// The element counts as issued and changes nothing; another microthread of the PE continues.
TEST(Trap, AnElementThatNobodyHasChangesNothing) {
  const Simulation s = simulate(R"(
.grid 1, 1
.colour names, own
.program p
  .i32 order[3] = i == 1 ? 8 : i
  .i32 v[8] = 10 + i
  .i32 got[3]
  .i32 kept[20]
  .microthread looping, sending, gathering
  task main:
    mov32 kept, fabin(own) async looping
    mov32 fabout(names), order async sending
    mov32 got, v[fabin(names)] async gathering
    mov32 fabout(own, length=20), 7
.place p at (0, 0)
.route names at (0, 0): ramp -> ramp
.route own at (0, 0): ramp -> ramp
)",
                                {.trace = true});
  ASSERT_TRUE(s.record.trap.has_value());
  EXPECT_EQ(s.words(0, 0, "got"), (std::vector<std::uint32_t>{10, 0, 0}));
  std::uint64_t issued = 0;
  for (const nlohmann::json& issue : events(s, "issue", 0)) {
    issued += issue["count"].get<std::uint64_t>();
    EXPECT_LE(issue["cycle"], s.record.trap->cycle);
  }
  EXPECT_EQ(s.record.counters.elements, issued);
}

// A wavelet whose copy would leave the grid stays where it is, all of its copies.
TEST(Trap, NothingLeavesTheGrid) {
  const Simulation s = simulate(R"(
.grid 2, 1
.colour red
.program p
  .routing both = [ramp -> west, east]
  task main:
    setroute red, both
    mov32 fabout(red), 1
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
.route red at (1, 0): west -> ramp
)");
  ASSERT_TRUE(s.record.trap.has_value());
  EXPECT_EQ(s.record.trap->line, "test.wsa:7");
  EXPECT_EQ(s.record.trap->detail, "a wavelet of colour red would leave the grid to the west");
  EXPECT_EQ(s.record.counters.hops, 0u);
  EXPECT_EQ(s.record.wavelets_left, 1u);
}

}  // namespace
}  // namespace wse::test_laws::traps
