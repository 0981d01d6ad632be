// Switches of routers, one rule at a time: what moves when, and in which position a router is.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/support/simulation.h"

namespace wse::test_laws::switching {
namespace {

using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;

// What routers did, "cycle x: what", by cycle and x: "3 0: ramp > east", "5 1: position 1".
std::vector<std::string> router_events(const Simulation& s) {
  std::vector<std::tuple<int, int, std::string>> found;
  for (const std::string& line : s.trace) {
    const nlohmann::json json = nlohmann::json::parse(line);
    const std::string event = json["event"];
    std::string what = event;
    if (event == "move") {
      what = json["from"].get<std::string>() + " >";
      for (const std::string to : json["to"]) what += " " + to;
    } else if (event == "position") {
      what += " " + json["position"].dump();
    } else if (!event.starts_with("teardown")) {
      continue;
    }
    found.emplace_back(json["cycle"], json["pe"][0], what);
  }
  std::ranges::stable_sort(found, {},
                           [](const auto& e) { return std::pair(std::get<0>(e), std::get<1>(e)); });
  std::vector<std::string> events;
  for (const auto& [cycle, x, what] : found) {
    events.push_back(std::to_string(cycle) + " " + std::to_string(x) + ": " + what);
  }
  return events;
}

// The same without moves.
std::vector<std::string> switch_events(const Simulation& s) {
  std::vector<std::string> events = router_events(s);
  std::erase_if(events, [](const std::string& e) { return e.find('>') != std::string::npos; });
  return events;
}

using Events = std::vector<std::string>;

// A row of PEs: PE 0 runs `sender`, the others `receiver` if they have one.
Simulation row(const std::string& width, const std::string& sender, const std::string& rest) {
  return simulate(".const W = " + width + "\n.grid W, 1\n.colour red, go\n.program sender\n" +
                      "  .i32 v[4] = 10 + i\n  task main:\n" + sender + rest +
                      ".place sender at (0, 0)\n",
                  {.trace = true});
}

const std::string kOneReceiver = R"(
.program receiver
  .i32 got exported
  task main:
    mov32 got, fabin(red)
)";

TEST(Switch, ASendAdvancesBehindItsLastWavelet) {
  const Simulation s = row("2", R"(
    mov32 fabout(red, advance), v[0:2]
    mov32 fabout(red), v[2:3]
    mov32 r0, fabin(red)
    mov32 r1, fabin(red)
)",
                           kOneReceiver + R"(
.place receiver at (1, 0)
.route red at (0, 0): [ramp -> ramp] [-> east]
.route red at (1, 0): west -> ramp
)");
  // Words issue in 0, 1, 2 and may leave the own router in 3, 4, 5; the switch acts from 5 on.
  EXPECT_EQ(router_events(s), (Events{"3 0: ramp > ramp", "4 0: ramp > ramp", "4 0: position 1",
                                      "5 0: ramp > east", "6 1: west > ramp"}));
  EXPECT_EQ(s.record.cycles, 9u);  // received in 8 = 2 + 1 + 2 * T_R + 1 hop
  EXPECT_EQ(s.words(1, 0, "got"), std::vector<std::uint32_t>{12});
}

TEST(Switch, AnAdvanceOfNothingActsInTheNextCycle) {
  const Simulation s =
      row("1", R"(
    mov32 fabout(red, advance), v[0:0]
    mov32 fabout(red), v[0:1]
    mov32 r0, fabin(red)
)",
          ".route red at (0, 0): [ramp -> east] [-> ramp]\n.route red at (1..0, 0): "
          "west -> ramp\n.stream out: i32 at (0, 0): red -> east\n");
  EXPECT_EQ(router_events(s), (Events{"0 0: position 1", "3 0: ramp > ramp"}));
  EXPECT_EQ(s.record.status, RunStatus::Halted);
}

// Data, a command, data: the command goes where the first data went, the second data where it says.
TEST(Switch, CommandsActFromTheNextCycle) {
  const auto run = [](const std::string& command, const std::string& positions) {
    return row("3",
               "    mov32 fabout(red), v[0:1]\n    mov32 fabout(red, control), control(31, " +
                   command + ")\n    mov32 fabout(red), v[1:2]\n",
               kOneReceiver + ".place receiver at (1..2, 0)\n.route red at (0, 0): ramp -> east\n" +
                   ".route red at (1, 0): " + positions + "\n.route red at (2, 0): west -> ramp\n");
  };
  const Simulation advance = run("adv", "[west -> ramp] [-> east]");
  EXPECT_EQ(
      router_events(advance),
      (Events{"3 0: ramp > east", "4 0: ramp > east", "4 1: west > ramp", "5 0: ramp > east",
              "5 1: west > ramp", "5 1: position 1", "6 1: west > east", "7 2: west > ramp"}));
  EXPECT_EQ(advance.record.cycles, 10u);  // issued in 2, received in 2 + 1 + 2 * T_R + 2 hops = 9
  EXPECT_EQ(advance.record.wavelets_left, 0u);  // entry 31 is dropped
  EXPECT_EQ(switch_events(run("nop", "[west -> ramp, east] [-> east]")), Events{});
  EXPECT_EQ(switch_events(run("rst", "[west -> ramp, east] [-> east]")), Events{});
  EXPECT_EQ(switch_events(run("adv", "[west -> ramp, east]")), Events{});
}

TEST(Switch, StaysAtTheLastPositionOrWraps) {
  const auto run = [](const std::string& command, const std::string& options) {
    std::string sends;
    for (int k = 0; k < 3; ++k) {
      sends += "    mov32 fabout(red, control), control(31, " + command + ")\n";
    }
    return switch_events(row("2", sends + "    mov32 fabout(red, control), control(31, rst)\n",
                             ".route red at (0, 0): ramp -> east\n"
                             ".route red at (1, 0): [west -> ramp] [west -> ramp] [west -> ramp] " +
                                 options + "\n"));
  };
  EXPECT_EQ(run("adv", ""), (Events{"4 1: position 1", "5 1: position 2", "7 1: position 0"}));
  EXPECT_EQ(run("adv", "ring"), (Events{"4 1: position 1", "5 1: position 2", "6 1: position 0"}));
  EXPECT_EQ(run("ignore(adv)", "ring").size(), 3u);
}

// One wavelet with several commands through routers 0 (one position) to 3 (two each) to PE 4.
Events pops(const std::string& mode, const std::string& commands) {
  return switch_events(row("5", "    mov32 fabout(red, control), control(31, " + commands + ")\n",
                           ".route red at (0, 0): [ramp -> east] pop=" + mode +
                               "\n.route red at (1..3, 0): [west -> east] [-> east] pop=" + mode +
                               "\n.route red at (4, 0): west -> ramp\n"));
}

TEST(Switch, NeverPops) {
  EXPECT_EQ(pops("never", "adv, nop, rst"),
            (Events{"4 1: position 1", "5 2: position 1", "6 3: position 1"}));
}

TEST(Switch, PopsAlways) {  // the sender's router takes the first command, router k the k-th
  EXPECT_EQ(pops("always", "adv, nop, adv, nop"), (Events{"5 2: position 1"}));
  EXPECT_EQ(pops("always", "nop, adv, adv, adv"),
            (Events{"4 1: position 1", "5 2: position 1", "6 3: position 1"}));
}

TEST(Switch, PopsOnAdvance) {  // router 0 cannot advance, router 1 does, the others see the nop
  EXPECT_EQ(pops("on_advance", "adv, nop, adv"), (Events{"4 1: position 1"}));
  EXPECT_EQ(pops("on_advance", "adv, rst, adv"), (Events{"4 1: position 1"}));
  EXPECT_EQ(pops("on_advance", "adv, adv, nop"), (Events{"4 1: position 1", "5 2: position 1"}));
}

// An rst that finds position 0 changes nothing, so it stays in front: of on_advance as of
// on_advance_nop. One that leads back is popped, and the next router sees what was after it.
TEST(Switch, AnRstIsPoppedIfItLeadsBack) {
  EXPECT_EQ(pops("on_advance", "rst, adv"), Events{});
  EXPECT_EQ(pops("on_advance_nop", "rst, adv"), Events{});
  EXPECT_EQ(pops("always", "nop, rst, adv"), (Events{"5 2: position 1"}));
  for (const std::string mode : {"never", "on_advance", "on_advance_nop"}) {
    const Events events = switch_events(row(
        "3",
        "    mov32 fabout(red, control), control(31, ignore(adv))\n"
        "    mov32 fabout(red, control), control(31, rst, adv)\n",
        ".route red at (0, 0): ramp -> east\n.route red at (1, 0): [west -> east] [-> east] pop=" +
            mode + "\n.route red at (2, 0): [west -> ramp] [-> ramp]\n"));
    Events expected = {"4 1: position 1", "5 1: position 0"};
    if (mode == "never") expected.push_back("5 2: position 1");
    if (mode == "never") expected.push_back("6 2: position 0");
    if (mode != "never") expected.push_back("6 2: position 1");
    EXPECT_EQ(events, expected) << mode;
  }
}

TEST(Switch, PopsOnAdvanceAndNop) {  // router 1 advances, router 2 takes the nop, router 3 advances
  EXPECT_EQ(pops("on_advance_nop", "adv, nop, adv"),
            (Events{"4 1: position 1", "6 3: position 1"}));
  EXPECT_EQ(pops("on_advance_nop", "rst, adv"), Events{});
}

// Seven commands are left after the first pop; after the eighth come ignored nops.
TEST(Switch, AControlWaveletHoldsEightCommands) {
  const Simulation s = row(
      "9", "    mov32 fabout(red, control), control(5, nop, nop, nop, nop, nop, nop, nop, adv)\n",
      ".route red at (0, 0): [ramp -> east] pop=always\n"
      ".route red at (1..7, 0): [west -> east] [-> east] pop=always\n"
      ".route red at (8, 0): [west -> ramp] [-> ramp] pop=always\n");
  EXPECT_EQ(switch_events(s), (Events{"10 7: position 1"}));
  EXPECT_EQ(router_events(s).back(), "11 8: west >");  // an ignored nop: consumed there
  EXPECT_EQ(s.record.cycles, 12u);                     // which counts as a move
  EXPECT_EQ(s.record.wavelets_left, 0u);
}

TEST(Switch, ThePeIgnoresWhatItIsToldTo) {
  const auto run = [](const std::string& command) {
    return router_events(row("3", "    mov32 fabout(red, control), control(31, " + command + ")\n",
                             ".route red at (0, 0): ramp -> east\n"
                             ".route red at (1, 0): west -> ramp, east\n"
                             ".route red at (2, 0): west -> ramp\n"));
  };
  EXPECT_EQ(run("nop"), (Events{"3 0: ramp > east", "4 1: west > east ramp", "5 2: west > ramp"}));
  EXPECT_EQ(run("ignore(nop)"), (Events{"3 0: ramp > east", "4 1: west > east", "5 2: west >"}));
}

// The record lists the switches that a run has left elsewhere, by PE, then by colour; so many of
// them, and how many there are.
TEST(Switch, TheRecordTellsFinalPositions) {
  const auto run = [](const std::string& width) {
    return row(width, "    mov32 fabout(red, control), control(31, adv)\n",
               ".route red at (0, 0): ramp -> east\n"
               ".route red at (1..W - 2, 0): [west -> east] [-> east] [-> east]\n"
               ".route red at (W - 1, 0): [west -> ramp]\n")
        .record;
  };
  const wse::vm::Record few = run("4");
  ASSERT_EQ(few.positions.size(), 2u);
  EXPECT_EQ(few.positions_total, 2u);
  EXPECT_EQ(few.positions[1].x, 2u);
  EXPECT_EQ(few.positions[1].y, 0u);
  EXPECT_EQ(few.positions[1].colour, "red");
  EXPECT_EQ(few.positions[1].position, 1u);
  const wse::vm::Record many = run("700");
  EXPECT_EQ(many.positions.size(), wse::vm::kMostPositions);
  EXPECT_EQ(many.positions_total, 698u);
  EXPECT_EQ(run("2").positions_total, 0u);
}

TEST(Switch, AnAdvancingSendOfAnAdvanceMakesTwoSteps) {
  const Simulation s = row("1", "    mov32 fabout(red, control, advance), control(31, adv)\n",
                           ".route red at (0, 0): [ramp -> ramp] [ramp -> ramp] [ramp -> ramp]\n");
  EXPECT_EQ(switch_events(s), (Events{"3 0: position 1", "3 0: position 2"}));
}

// A fabric input takes data only; what nobody takes is dropped in the cycle in which it is first.
TEST(Switch, DataBehindADroppedWaveletComeOneCycleLater) {
  const std::string receiver = kOneReceiver +
                               ".place receiver at (1, 0)\n.route red at (0, 0): ramp -> east\n"
                               ".route red at (1, 0): west -> ramp\n";
  const std::string data = "    mov32 fabout(red), v[0:1]\n";
  EXPECT_EQ(row("2", data, receiver).record.cycles, 7u);  // issued in 0, received in 6
  const Simulation s =
      row("2", "    mov32 fabout(red, control), control(31, nop)\n" + data, receiver);
  EXPECT_EQ(s.record.cycles, 8u);  // both one cycle later; the drop in 6 costs nothing
  EXPECT_EQ(s.words(1, 0, "got"), std::vector<std::uint32_t>{10});
}

TEST(Switch, TeardownHoldsWhatComesBehind) {
  const Simulation s = row("2", R"(
    mov32 fabout(red, control), control(31, ignore(teardown))
    mov32 fabout(red), v[0:1]
    mov32 r0, fabin(go)
    setroute red, straight
    teardown_exit red
  .routing straight = [ramp -> east]
)",
                           R"(
.program receiver
  .i32 got exported
  task main:
    add32 r1, x, 0
    mov32 fabout(go), r1
    mov32 got, fabin(red)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> ramp
.route red at (1, 0): west -> ramp
.route go at (1, 0): ramp -> west
.route go at (0, 0): east -> ramp
)");
  // The command is consumed in 3; the word after it waits in the up-ramp. `go` is received in 6:
  // both writes happen in 7 and act from 8 on.
  EXPECT_EQ(router_events(s), (Events{"3 0: ramp >", "3 0: teardown", "3 1: ramp > west",
                                      "4 0: east > ramp", "7 0: position 0", "7 0: teardown_exit",
                                      "8 0: ramp > east", "9 1: west > ramp"}));
  EXPECT_EQ(s.words(1, 0, "got"), std::vector<std::uint32_t>{10});
}

TEST(Switch, TheTaskOfATeardownIsPickedARampLater) {
  // Issued in 0, the command acts in the router in 3: torn down from 4 on, picked in 4 + 2.
  const Simulation s = simulate(R"(
.grid 1, 1
.colour red
.program one
  task main:
    mov32 fabout(red, control), control(31, teardown)
  task torn teardown red:
    mark torn
    halt
.place one at (0, 0)
.route red at (0, 0): ramp -> ramp
)");
  EXPECT_EQ(s.record.marks.at("torn").first, 6u);
}

TEST(Switch, ConfigurationWritesTakeACycleOnWse2) {
  const auto cycles = [](const std::string& body) {
    return simulate(
               ".grid 1, 1\n.colour red\n.program p\n  .routing loop = [ramp -> ramp]\n"
               "  .filtering none_left = range 1..0\n  task main:\n" +
                   body +
                   ".place p at (0, 0)\n.route red at (0, 0): [ramp -> ramp] [ramp -> ramp]\n",
               {.profile = "wse2"})
        .record.cycles;
  };
  EXPECT_EQ(cycles("    setpos red, 1\n"), 1u);
  EXPECT_EQ(cycles("    setroute red, loop\n    setfilter red, none_left\n    teardown_exit red\n"),
            3u);
}

TEST(Switch, StartsTornDown) {
  const std::string routes = ".route red at (0, 0): [ramp -> ramp] torn_down\n";
  EXPECT_EQ(row("1", "    mov32 fabout(red), 1\n    mov32 r0, fabin(red)\n", routes).record.status,
            RunStatus::Deadlock);
  const Simulation s = row(
      "1", "    teardown_exit red\n    mov32 fabout(red), 1\n    mov32 r0, fabin(red)\n", routes);
  EXPECT_EQ(s.record.cycles, 6u);  // a word looped back
}

// A word is in the up-ramp of the PE from cycle 1 to 3, in the down-ramp up to 5.
TEST(Switch, ConfigurationInUseTraps) {
  const auto run = [](const std::string& behind) {
    return row("1", "    mov32 fabout(red), 1\n" + behind + "  .routing loop = [ramp -> ramp]\n",
               ".route red at (0, 0): ramp -> ramp\n");
  };
  EXPECT_EQ(run("    setroute red, loop\n").record.status, RunStatus::Trap);
  EXPECT_EQ(run("    setpos red, 0\n").record.status, RunStatus::Trap);
  EXPECT_EQ(run("    mov32 r0, fabin(red)\n    setroute red, loop\n").record.status,
            RunStatus::Halted);
  EXPECT_EQ(run("    mov32 r0, fabin(red)\n    setpos red, 1\n").record.status, RunStatus::Trap);
}

// The PE turns its route round: what waits is not lost.
TEST(Switch, ARewrittenRouteActsFromTheNextCycle) {
  const Simulation s = row("2", R"(
    mov32 r0, 0
    setroute red, away
    mov32 fabout(red), v[0:1]
  .routing away = [ramp -> east]
)",
                           kOneReceiver + R"(
.place receiver at (1, 0)
.route red at (0, 0): east -> ramp
.route red at (1, 0): west -> ramp
)");
  EXPECT_EQ(s.record.cycles, 7u);
  EXPECT_EQ(s.words(1, 0, "got"), std::vector<std::uint32_t>{10});
}

}  // namespace
}  // namespace wse::test_laws::switching
