// Links: how long they take, how often, and who goes first where several colours want the same one.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/simulation.h"

namespace wse::test_laws::links {
namespace {

using isa::Profile;
using test_support::Settings;
using test_support::simulate;
using test_support::Simulation;
using vm::Cycle;
using vm::RunStatus;

constexpr std::uint64_t kRampLatency = 2;  // T_R of the profile
constexpr std::uint64_t kWords[] = {1, 2, 3, 8, 9, 64, 65};

void expect_success(const Simulation& simulation) {
  EXPECT_EQ(simulation.record.status, RunStatus::Halted) << simulation.record.message;
  EXPECT_EQ(simulation.record.message, "");
  for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
}

// The cycles that `words` words take over `links` links.
std::uint64_t message(std::uint64_t links, std::uint64_t words, const Settings& settings = {}) {
  const Simulation simulation = simulate(
      fmt::format(".const L = {}\n.const B = {}\n.grid 701, 1\n.colour red\n.program sender\n"
                  "  .i32 v[B] = 3 * i\n  task main:\n    mov32 fabout(red), v\n"
                  ".program receiver\n  .i32 v[B]\n  task main:\n    mov32 v, fabin(red)\n"
                  ".place sender at (0, 0)\n.place receiver at (L, 0)\n"
                  ".route red at (0, 0): ramp -> east\n.route red at (1..L - 1, 0): west -> east\n"
                  ".route red at (L, 0): west -> ramp\n.expect v at (L, 0) == 3 * i\n",
                  links, words),
      {.settings = settings});
  expect_success(simulation);
  return simulation.record.cycles;
}

TEST(Links, AWaveletCrossesALinkPerCycle) {
  for (std::uint64_t links = 1; links <= 700; ++links) {
    ASSERT_EQ(message(links, 1), 1 + links + 2 * kRampLatency + 1) << links;
  }
}

TEST(Links, TheLatencyOfEachLinkAdds) {
  for (const std::uint32_t latency : {2u, 3u, 7u, 100u}) {
    const Settings settings = {{&Profile::hop_latency_cycles, latency},
                               {&Profile::router_depth, latency + 1}};
    for (const std::uint64_t links : {1u, 2u, 30u}) {
      for (const std::uint64_t words : kWords) {
        EXPECT_EQ(message(links, words, settings), words + latency * links + 2 * kRampLatency + 1);
      }
    }
  }
}

// A place is taken from the departure of a wavelet until the cycle after its next one: L + 1.
TEST(Links, AShortQueueBehindALongLinkLimitsTheRate) {
  for (const std::uint32_t latency : {2u, 3u, 7u}) {
    for (const std::uint32_t depth : {1u, 2u}) {
      const Settings settings = {{&Profile::hop_latency_cycles, latency},
                                 {&Profile::router_depth, depth}};
      for (const std::uint64_t words : kWords) {
        const std::uint64_t last = (words - 1) / depth * (latency + 1) + (words - 1) % depth;
        EXPECT_EQ(message(1, words, settings), last + 1 + latency + 2 * kRampLatency + 1);
        EXPECT_EQ(message(9, words, settings), last + 1 + 9 * latency + 2 * kRampLatency + 1);
      }
    }
  }
}

TEST(Links, AnIntervalDividesTheRate) {
  for (const std::uint32_t interval : {2u, 3u, 10u, 1000u}) {
    const Settings settings = {{&Profile::link_interval_cycles, interval}};
    for (const std::uint64_t links : {1u, 2u, 30u}) {
      for (const std::uint64_t words : kWords) {
        EXPECT_EQ(message(links, words, settings),
                  interval * (words - 1) + 1 + links + 2 * kRampLatency + 1);
      }
    }
  }
}

TEST(Links, AnIntervalHidesAShortQueue) {
  for (const std::uint32_t latency : {1u, 2u, 5u}) {
    const Settings settings = {{&Profile::hop_latency_cycles, latency},
                               {&Profile::link_interval_cycles, latency + 1},
                               {&Profile::router_depth, 1}};
    EXPECT_EQ(message(5, 64, settings),
              (latency + 1) * 63 + 1 + 5 * latency + 2 * kRampLatency + 1);
  }
}

// ---- several colours on one link

struct Departure {
  Cycle cycle;
  std::string colour;
};

// What left PE (x, y) over `port`.
std::vector<Departure> departures(const Simulation& simulation, int x, int y,
                                  std::string_view port) {
  std::vector<Departure> found;
  for (const std::string& line : simulation.trace) {
    const nlohmann::json json = nlohmann::json::parse(line);
    if (json["event"] != "move" || json["pe"] != nlohmann::json{x, y}) continue;
    for (const std::string to : json["to"]) {
      if (to == port) found.push_back({json["cycle"], json["colour"]});
    }
  }
  return found;
}

constexpr std::uint64_t kShare = 48;  // words of each of the three colours
constexpr std::uint32_t kNumbers[] = {0, 8, 16};

// The PEs west and north of (1, 1) and that one itself send kShare words each to (2, 1).
Simulation crossing(const Settings& settings) {
  Simulation simulation = simulate(
      fmt::format(".const B = {}\n.grid 3, 2\n.colour a = {}, b = {}, c = {}\n"
                  ".program sender(tx: colour)\n  .i32 v[B] = 100 * tx + i\n  task main:\n"
                  "    mov32 fabout(tx), v\n"
                  ".program receiver\n  .i32 u[B]\n  .i32 v[B]\n  .i32 w[B]\n  task main:\n"
                  "    mov32 u, fabin(a) async 0\n    mov32 v, fabin(b) async 1\n"
                  "    mov32 w, fabin(c) async 2\n    wait 0\n    wait 1\n    wait 2\n"
                  ".place sender at (0, 1) with tx = a\n.place sender at (1, 0) with tx = b\n"
                  ".place sender at (1, 1) with tx = c\n.place receiver at (2, 1)\n"
                  ".route a at (0, 1): ramp -> east\n.route b at (1, 0): ramp -> south\n"
                  ".route a at (1, 1): west -> east\n.route b at (1, 1): north -> east\n"
                  ".route c at (1, 1): ramp -> east\n.route a at (2, 1): west -> ramp\n"
                  ".route b at (2, 1): west -> ramp\n.route c at (2, 1): west -> ramp\n"
                  ".expect u at (2, 1) == 100 * a + i\n.expect v at (2, 1) == 100 * b + i\n"
                  ".expect w at (2, 1) == 100 * c + i\n",
                  kShare, kNumbers[0], kNumbers[1], kNumbers[2]),
      {.trace = true, .settings = settings});
  expect_success(simulation);
  EXPECT_EQ(simulation.record.max_link_load, 3 * kShare);
  return simulation;
}

// The link is busy from the first word to the last, and who leaves is first in the order of its
// cycle among those who have words left. The own PE's first word is there a cycle before the
// others.
void expect_order(const Simulation& simulation, std::uint64_t interval, bool rotates) {
  const std::vector<Departure> all = departures(simulation, 1, 1, "east");
  ASSERT_EQ(all.size(), 3 * kShare);
  std::uint64_t left[] = {kShare, kShare, kShare};
  for (std::size_t k = 0; k < all.size(); ++k) {
    ASSERT_EQ(all[k].cycle, all[0].cycle + interval * k);
    const auto first = static_cast<std::uint32_t>(rotates ? all[k].cycle % 24 : 0);
    std::size_t expected = 3;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto rank = [&](std::size_t i) { return (kNumbers[i] + 24 - first) % 24; };
      if (left[c] > 0 && (expected == 3 || rank(c) < rank(expected))) expected = c;
    }
    if (k == 0) expected = 2;
    ASSERT_EQ(all[k].colour, std::string(1, static_cast<char>('a' + expected))) << k;
    --left[expected];
  }
}

TEST(Links, ThreeColoursGoInTheOrderOfTheirNumbers) {
  for (const std::uint32_t interval : {1u, 2u, 3u}) {
    expect_order(crossing({{&Profile::link_interval_cycles, interval}}), interval, false);
  }
}

TEST(Links, ThreeColoursTakeTurns) {
  for (const std::uint32_t interval : {1u, 2u, 3u}) {
    expect_order(crossing({{&Profile::link_interval_cycles, interval}, {&Profile::arbitration, 1}}),
                 interval, true);
  }
}

// One word of blue to the east, then one of red. The up-ramp brings red a cycle after blue.
Cycle red_leaves(const std::string& red, std::uint32_t interval) {
  const Simulation simulation = simulate(
      ".grid 3, 1\n.colour blue, red\n.program sender\n  task main:\n"
      "    mov32 fabout(blue), 1\n    mov32 fabout(red), 2\n.place sender at (1, 0)\n"
      ".route blue at (1, 0): ramp -> east\n.route blue at (2, 0): west -> ramp\n"
      ".route red at (1, 0): ramp -> " +
          red +
          "\n.route red at (0, 0): east -> ramp\n"
          ".route red at (2, 0): west -> ramp\n",
      {.trace = true, .settings = {{&Profile::link_interval_cycles, interval}}});
  for (const Departure& departure : departures(simulation, 1, 0, "west")) {
    if (departure.colour == "red") return departure.cycle;
  }
  ADD_FAILURE() << "nothing red leaves";
  return 0;
}

TEST(Links, AMulticastWaitsForTheSlowestLink) {
  const Cycle blue = 1 + kRampLatency;
  EXPECT_EQ(red_leaves("west", 5), blue + 1);
  EXPECT_EQ(red_leaves("west, east", 1), blue + 1);
  EXPECT_EQ(red_leaves("west, east", 5), blue + 5);
}

// ---- streams

std::uint64_t pipe(std::uint64_t width, std::uint64_t words, const Settings& settings) {
  const Simulation simulation = simulate(
      fmt::format(
          ".const W = {}\n.grid W, 1\n.colour red\n.route red at (0..W-1, 0): west -> east\n"
          ".stream a: i32[{}] at (0, 0): west -> red\n"
          ".stream b: i32[{}] at (W-1, 0): red -> east\n",
          width, words, words),
      {.settings = settings});
  expect_success(simulation);
  return simulation.record.cycles;
}

TEST(Links, StreamsEnterAndLeaveOverLinks) {
  for (const std::uint32_t latency : {1u, 2u, 7u}) {
    for (const std::uint32_t interval : {1u, 2u, 3u}) {
      for (const std::uint64_t words : kWords) {
        const Settings settings = {{&Profile::hop_latency_cycles, latency},
                                   {&Profile::link_interval_cycles, interval},
                                   {&Profile::router_depth, latency + 1}};
        EXPECT_EQ(pipe(4, words, settings), 4 * latency + interval * (words - 1) + 1);
      }
    }
  }
}

// Two colours to the same side share the link on which they leave.
TEST(Links, StreamsThatLeaveTakeTurns) {
  const Simulation simulation = simulate(
      ".grid 2, 2\n.colour red, blue\n.route red at (0, 0): west -> east\n"
      ".route red at (1, 0): west -> east\n.route blue at (1, 0): north -> east\n"
      ".stream a: i32[6] at (0, 0): west -> red\n.stream b: i32[6] at (1, 0): north -> blue\n"
      ".stream c: i32[6] at (1, 0): red -> east\n.stream d: i32[6] at (1, 0): blue -> east\n",
      {.trace = true, .settings = {{&Profile::link_interval_cycles, 3}}});
  expect_success(simulation);
  const std::vector<Departure> all = departures(simulation, 1, 0, "east");
  ASSERT_EQ(all.size(), 12u);
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k].cycle, 1 + 3 * k);
}

}  // namespace
}  // namespace wse::test_laws::links
