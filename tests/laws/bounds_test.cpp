// Machines at the bounds of their profile: queues hold as many wavelets as they say, in order, and
// the slowest steps take the cycles of their laws. Sizes around 2^8 and at 2^16 - 1 would show a
// counter that is too narrow.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/simulation.h"

namespace wse::test_laws::bounds {
namespace {

using isa::Profile;
using test_support::Settings;
using test_support::simulate;
using test_support::Simulation;
using vm::Cycle;
using vm::RunStatus;

constexpr std::uint32_t kDepths[] = {4, 255, 256, 257, 65'534, 65'535};
constexpr Cycle kSlowest = 1u << 24;
const Settings::value_type kLargeMemory = {&Profile::memory_bytes, 1u << 24};

void expect_success(const Simulation& simulation) {
  EXPECT_EQ(simulation.record.status, RunStatus::Halted) << simulation.record.message;
  EXPECT_EQ(simulation.record.message, "");
  for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
}

// The receiver takes nothing before all `words` words have left the sender's hands.
Simulation fill_queues(std::uint32_t words, const Settings& settings) {
  return simulate(
      fmt::format(".const N = {}\n.grid 2, 1\n.colour data, go\n.program sender\n"
                  "  .i32 v[N] = 3 * i\n  task main:\n    mov32 fabout(data), v\n"
                  "    mov32 fabout(go), 1\n"
                  ".program receiver\n  .i32 v[N]\n  task main:\n"
                  "    mov32 r1, fabin(go)\n    mov32 v, fabin(data)\n"
                  ".place sender at (0, 0)\n.place receiver at (1, 0)\n"
                  ".route data at (0, 0): ramp -> east\n.route data at (1, 0): west -> ramp\n"
                  ".route go at (0, 0): ramp -> east\n.route go at (1, 0): west -> ramp\n"
                  ".expect v at (1, 0) == 3 * i\n",
                  words),
      {.settings = settings});
}

// As many as the queues on the way have places; one more waits for ever.
TEST(Bounds, QueuesHoldWhatTheySayAndKeepTheOrder) {
  const Profile model = *wse::isa::find_profile("model");
  for (const auto deep :
       {&Profile::router_depth, &Profile::up_ramp_depth, &Profile::down_ramp_depth}) {
    for (const std::uint32_t depth : kDepths) {
      SCOPED_TRACE(fmt::format("{} {}", wse::isa::info(deep).name, depth));
      const std::uint32_t places =
          model.router_depth + model.up_ramp_depth + model.down_ramp_depth - model.*deep + depth;
      const Settings settings = {kLargeMemory, {deep, depth}};
      expect_success(fill_queues(places, settings));
      EXPECT_EQ(fill_queues(places + 1, settings).record.status, RunStatus::Deadlock);
    }
  }
}

// Control wavelets that ask for nothing are after a word that nobody takes before all are there.
TEST(Bounds, ADownRampDropsAllThatNobodyWants) {
  for (const std::uint32_t depth : kDepths) {
    SCOPED_TRACE(depth);
    expect_success(
        simulate(fmt::format(".const N = {}\n.grid 1, 1\n.colour red, go\n.program p\n"
                             "  .i32 got[2]\n  task main:\n    mov32 fabout(red), 7\n"
                             "    mov32 fabout(red, control, length=N), control(31, nop)\n"
                             "    mov32 fabout(red), 8\n    mov32 fabout(go), 1\n"
                             "    mov32 r1, fabin(go)\n    mov32 got, fabin(red)\n"
                             ".place p at (0, 0)\n.route red at (0, 0): ramp -> ramp\n.route go at "
                             "(0, 0): ramp -> ramp\n"
                             ".expect got at (0, 0) == 7 + i\n",
                             depth - 2),
                 {.settings = {{&Profile::down_ramp_depth, depth}}}));
  }
}

// The cycles of a message of two words over three links.
Cycle message(const Settings& settings) {
  const Simulation simulation = simulate(
      ".grid 4, 1\n.colour red\n.program sender\n  .i32 v[2] = i\n  task main:\n"
      "    mov32 fabout(red), v\n.program receiver\n  .i32 v[2]\n  task main:\n"
      "    mov32 v, fabin(red)\n.place sender at (0, 0)\n.place receiver at (3, 0)\n"
      ".route red at (0, 0): ramp -> east\n.route red at (1..2, 0): west -> east\n"
      ".route red at (3, 0): west -> ramp\n.expect v at (3, 0) == i\n",
      {.settings = settings});
  expect_success(simulation);
  return simulation.record.cycles;
}

TEST(Bounds, TheSlowestLinksAndRamps) {
  EXPECT_EQ(message({}), 2 + 3 + 2 * 2 + 1);
  EXPECT_EQ(message({{&Profile::hop_latency_cycles, kSlowest}}), 2 + 3 * kSlowest + 2 * 2 + 1);
  EXPECT_EQ(message({{&Profile::link_interval_cycles, kSlowest}}), 1 + kSlowest + 3 + 2 * 2 + 1);
  for (const std::uint32_t latency : {1u, 254u, 255u, 256u, 65'533u}) {
    EXPECT_EQ(message({{&Profile::ramp_latency_cycles, latency},
                       {&Profile::up_ramp_depth, latency + 2},
                       {&Profile::down_ramp_depth, latency + 1}}),
              2 + 3 + 2 * latency + 1);
  }
}

// The cycles of a program of one PE with two arrays of eight words in banks that conflict.
Cycle on_one_pe(const std::string& code, const Settings& settings) {
  const Simulation simulation =
      simulate(".grid 1, 1\n.program p\n  .i32 a[8] bank=0\n  .i32 b[8] bank=0\n  task main:\n" +
                   code + ".place p at (0, 0)\n",
               {.settings = settings});
  expect_success(simulation);
  return simulation.record.cycles;
}

TEST(Bounds, TheSlowestInstructions) {
  const Cycle issues = 4;  // two elements each
  EXPECT_EQ(on_one_pe("    mov32 b, a\n", {}), issues);
  EXPECT_EQ(on_one_pe("    mov32 b, a\n", {{&Profile::vector_start_cycles, kSlowest},
                                           {&Profile::vector_drain_cycles, kSlowest}}),
            kSlowest + issues + kSlowest);
  EXPECT_EQ(on_one_pe("    add32 b, a, b\n", {{&Profile::bank_conflict_cycles, kSlowest}}),
            issues * kSlowest);
  const Settings slow = {{&Profile::simple_cycles, kSlowest},
                         {&Profile::branch_taken_cycles, kSlowest},
                         {&Profile::divide_cycles, kSlowest}};
  EXPECT_EQ(on_one_pe("    mov32 r1, 6\n    mov32 r2, 3\n    divs32 r1, r1, r2\n    jmp last\n"
                      "  last:\n",
                      slow),
            4 * kSlowest);
}

// A vector in one cycle, however wide.
TEST(Bounds, TheWidestMachines) {
  constexpr std::uint32_t kWidest = 1u << 24;
  EXPECT_EQ(on_one_pe("    mov32 b, a\n", {{&Profile::simd_32bit, kWidest},
                                           {&Profile::read_port_bytes, kWidest},
                                           {&Profile::write_port_bytes, kWidest},
                                           {&Profile::stride_odd_limit, kWidest},
                                           {&Profile::stride_one_bank_limit, kWidest}}),
            1u);
}

}  // namespace
}  // namespace wse::test_laws::bounds
