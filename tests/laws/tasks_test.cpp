// The picker, rule by rule: which task starts in which cycle. Every number is derived by hand from
// the rules, in the comment beside it.
#include <gtest/gtest.h>

#include "tests/laws/law.h"

namespace wse::test_laws::tasks {
namespace {

using test_support::simulate;
using test_support::Simulation;
using vm::Activity;
using vm::Cycle;
using vm::RunStatus;

// One PE whose colour red leads back to itself.
Simulation on_one_pe(const std::string& body, const std::string& profile) {
  const std::string text = R"(
.grid 1, 1
.colour red
.program one
  .i32 v[8]
  .i32 w[8] = i
  .reg count = r0, value = r1, index = r2
)" + body + R"(
.place one at (0, 0)
.route red at (0, 0): ramp -> ramp
)";
  Simulation s = simulate(text, {.profile = profile, .max_cycles = 10'000});
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s;
}

constexpr const char* kTwoTasks = R"(
  task main:
    activate late
    activate early
  task late = 27 PRIORITY:
    mark late
    add32 count, count, 1
    beq count, 2, done
    end
  task early = 25:
    mark early
    add32 count, count, 1
    beq count, 2, done
    end
  done:
    halt
)";

std::string two_tasks(const std::string& priority) {
  std::string text = kTwoTasks;
  return text.replace(text.find("PRIORITY"), 8, priority);
}

TEST(Tasks, TheLowestIdIsPickedFirst) {
  // Activated in 0, seen in 1; the first ends in the cycle of its own pick: the other one cycle
  // later.
  const Simulation model = on_one_pe(two_tasks(""), "model");
  EXPECT_EQ(first(model, "early"), 1u);
  EXPECT_EQ(first(model, "late"), 2u);
  // Activated in 0 and 1; main ends in 2: pick in 2, task start 13. The first takes add 1 and
  // branch 1 and ends in 17, long after its pick: the next is picked at once.
  const Simulation wse2 = on_one_pe(two_tasks(""), "wse2-before");
  EXPECT_EQ(first(wse2, "early"), 2u + 13);
  EXPECT_EQ(first(wse2, "late"), 15u + 2 + 13);
}

TEST(Tasks, HighPriorityGoesBeforeIds) {
  const Simulation model = on_one_pe(two_tasks("high"), "model");
  EXPECT_EQ(first(model, "late"), 1u);
  EXPECT_EQ(first(model, "early"), 2u);
  const Simulation wse2 = on_one_pe(two_tasks("high"), "wse2-before");
  EXPECT_EQ(first(wse2, "late"), 15u);
  EXPECT_EQ(first(wse2, "early"), 30u);
}

TEST(Tasks, ABlockedTaskWaitsForItsUnblock) {
  const std::string body = R"(
  task main:
    activate held
    block held
    activate other
  task held:
    mark held
    halt
  task other:
    mark other
    unblock held
)";
  const Simulation model = on_one_pe(body, "model");  // unblocked in 1, seen in 2
  EXPECT_EQ(first(model, "other"), 1u);
  EXPECT_EQ(first(model, "held"), 2u);
  const Simulation wse2 =
      on_one_pe(body, "wse2-before");  // three instructions, task start, one, start
  EXPECT_EQ(first(wse2, "other"), 3u + 13);
  EXPECT_EQ(first(wse2, "held"), 16u + 1 + 13);
}

TEST(Tasks, ABlockActsOnPicksFromTheNextCycleOn) {
  // The vector takes 8 / 2 cycles: block and end both happen in 4, and in 4 the task is still open.
  const std::string body = R"(
  task main:
    activate held
    mov32 v, w
    block held
  task held:
    mark held
    halt
)";
  EXPECT_EQ(first(on_one_pe(body, "model"), "held"), 4u);
}

TEST(Tasks, AnActivationInTheCycleOfThePickIsKept) {
  const std::string body = R"(
  task main:
    activate again
  task again:
    mark again
    add32 count, count, 1
    beq count, 4, done
    activate again
    end
  done:
    halt
)";
  const Simulation model = on_one_pe(body, "model");  // in cycles 1, 2, 3, 4
  EXPECT_EQ(model.record.marks.at("again").last, 4u);
  EXPECT_EQ(model.record.marks.at("again").count, 4u);
  const Simulation wse2 =
      on_one_pe(body, "wse2-before");  // from mark to mark add, branch, activate, start
  EXPECT_EQ(wse2.record.marks.at("again").last, 1u + 13 + 3 * (3 + 13));
}

TEST(Tasks, ACompletionIsPickedInItsFinishCycle) {
  const std::string body = R"(
  task main:
    mov32 fabout(red), 7 async 0
    mov32 v[0:1], fabin(red) async 1 activate got
  task got:
    mark got
    assert v[0] == 7
    halt
)";
  // Sent in 0, back after 1 + 2 + 2: received in 5, finished in 6.
  EXPECT_EQ(first(on_one_pe(body, "model"), "got"), 6u);
  // Three descriptor loads hold the slot until 30: sent then, back 5 later; one issue, drain 4,
  // task start 13.
  EXPECT_EQ(first(on_one_pe(body, "wse2-before"), "got"), 30u + 5 + 1 + 4 + 13);
}

TEST(Tasks, ACompletionUnblocksInItsFinishCycle) {
  const std::string body = R"(
  task main:
    block got
    activate got
    mov32 fabout(red), 7 async 0
    mov32 v[0:1], fabin(red) async 1 unblock got
  task got:
    mark got
    halt
)";
  EXPECT_EQ(first(on_one_pe(body, "model"), "got"), 6u);
  EXPECT_EQ(first(on_one_pe(body, "wse2-before"), "got"), 2u + 30 + 5 + 1 + 4 + 13);
}

TEST(Tasks, AfterAHaltCompletionsActivateNothing) {
  const Simulation s = on_one_pe(R"(
  task main:
    mov32 fabout(red), 7 async 0
    mov32 v[0:1], fabin(red) async 1 activate got
    halt
  task got:
    mark got
)",
                                 "model");
  EXPECT_EQ(s.record.cycles, 6u);  // the instructions themselves run on
  EXPECT_EQ(s.words(0, 0, "v")[0], 7u);
  EXPECT_FALSE(s.record.marks.contains("got"));
}

TEST(Tasks, TaskStartIsSetUpAndBusy) {
  const Simulation s = on_one_pe(R"(
  task main:
    activate next
  task next:
    halt
)",
                                 "wse2-before");
  EXPECT_EQ(s.record.cycles, 1u + 13);
  EXPECT_EQ(s.record.counters.pe_cycles[static_cast<std::size_t>(Activity::Busy)], 14u);
}

// Four words from the west end to a PE whose data task takes them.
Simulation stream(const std::string& body, const std::string& profile) {
  const std::string text = R"(
.grid 2, 1
.colour red
.program sender
  .u32 v[4] = (i + 10) << 16 | i
  task main:
    mov32 fabout(red), v
.program receiver
  .i32 w[4]
  .reg value = r1, index = r2, k = r3
)" + body + R"(
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)";
  Simulation s = simulate(text, {.profile = profile, .max_cycles = 10'000});
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s;
}

constexpr const char* kTakeFour = R"(
  task main:
  task take on red (value, index):
    mark take
    mov32 w[k], index
    add32 k, k, 1
    bne   k, 4, more
    halt
  more:
)";

TEST(Tasks, ADataTaskForEveryWavelet) {
  const Simulation model = stream(kTakeFour, "model");  // heads from 1 + 2 + 2 + 1 on, one a cycle
  EXPECT_EQ(first(model, "take"), 6u);
  EXPECT_EQ(model.record.marks.at("take").last, 9u);
  EXPECT_EQ(model.words(1, 0, "w"), (std::vector<std::uint32_t>{10, 11, 12, 13}));
  // Two descriptor loads and the start of the send, the way, task start; then from word to word
  // store, add, taken branch, task start.
  const Simulation wse2 = stream(kTakeFour, "wse2-before");
  EXPECT_EQ(first(wse2, "take"), 20u + 2 + 6 + 13);
  EXPECT_EQ(wse2.record.marks.at("take").last, 41u + 3 * (1 + 1 + 3 + 13));
}

TEST(Tasks, OneArgumentIsTheWholeWavelet) {
  const Simulation s = stream(R"(
  task main:
  task take on red (value):
    mov32 w[k], value
    add32 k, k, 1
    bne   k, 4, more
    halt
  more:
)",
                              "model");
  EXPECT_EQ(s.words(1, 0, "w")[3], 13u << 16 | 3);
}

TEST(Tasks, APassiveProgramOnlyServes) {
  const Simulation s = stream(R"(
  .passive
  task main:
  task take on red (value, index):
    mov32 w[value], index
)",
                              "model");
  EXPECT_EQ(s.record.cycles,
            8u);  // the last word leaves the last router in 7; the task takes no time
  EXPECT_EQ(s.words(1, 0, "w")[3], 13u);
}

// While one PE computes, nobody says of another that it waits in vain; a loop without time traps.
TEST(Tasks, AProgramWithoutEndRunsToTheLimit) {
  const std::string text = R"(
.grid 2, 1
.colour red
.program endless
  task main:
  again:
    add32 r1, r1, 1
    jmp again
.program stuck
  task main:
    mov32 r1, fabin(red)
.place endless at (0, 0)
.place stuck at (1, 0)
.route red at (1, 0): west -> ramp
)";
  const Simulation limited = simulate(text, {.profile = "wse2-before", .max_cycles = 5000});
  EXPECT_EQ(limited.record.status, RunStatus::CycleLimit);
  EXPECT_EQ(limited.record.cycles, 5000u);
  const Simulation timeless = simulate(text, {.profile = "model"});
  ASSERT_TRUE(timeless.record.trap.has_value());
  EXPECT_EQ(timeless.record.trap->kind, wse::isa::Trap::NoProgress);
}

TEST(Tasks, ABlockedColourIsFreeForAnInstruction) {
  // Two words to the instruction, in 6 and 7; the finish is 8, and what is unblocked in 8 is picked
  // in 9.
  const Simulation s = stream(R"(
  task main:
    block take
    mov32 w[0:2], fabin(red)
    unblock take
    mov32 k, 2
  task take on red (value, index):
    mark take
    mov32 w[k], value
    add32 k, k, 1
    bne   k, 4, more
    halt
  more:
)",
                              "model");
  EXPECT_EQ(first(s, "take"), 9u);
  EXPECT_EQ(s.words(1, 0, "w"), (std::vector<std::uint32_t>{10 << 16, 11 << 16 | 1, 2, 3}));
}

TEST(Tasks, AWaveletIsTakenOnceInACycle) {
  // The data task pops the first word in 6 and, having blocked itself, starts an instruction in the
  // same cycle: that takes the other three from 7 on and finishes in 10.
  const Simulation s = stream(R"(
  task main:
  task take on red (value):
    mov32 w[0], value
    block take
    mov32 w[1:4], fabin(red)
    mark end
    halt
)",
                              "model");
  EXPECT_EQ(first(s, "end"), 10u);
  EXPECT_EQ(s.words(1, 0, "w")[3], 13u << 16 | 3);
}

TEST(Tasks, AMicrothreadRunsBesideTasks) {
  // main activates, loads two descriptors for each of its instructions and ends in 41: `beside` is
  // picked then, while the receive continues.
  const std::string body = R"(
  task main:
    activate beside
    mov32 fabout(red), w async 0
    mov32 v, fabin(red) async 1 activate got
  task beside:
    mark beside
    mul32 r5, r5, 3
  task got = 23:
    mark got
    assert v[7] == 7
    halt
)";
  const Simulation s = on_one_pe(body, "wse2-before");
  EXPECT_EQ(first(s, "beside"), 1u + 40 + 13);  // activate, loads, task start
  // The slot is free for the sends from 41 to 48, then for the receives; the product takes it
  // in 54. So the last of eight receives issues in 57; drain 4, task start 13.
  EXPECT_EQ(first(s, "got"), 57u + 1 + 4 + 13);
}

}  // namespace
}  // namespace wse::test_laws::tasks
