// Operands that wait: FIFOs, elements that wavelets name, inputs that control wavelets end. Every
// number is derived by hand from the rules, in the comment beside it.
#include <gtest/gtest.h>

#include "tests/laws/law.h"

namespace wse::test_laws::waiting_operands {
namespace {

using test_support::simulate;
using test_support::Simulation;
using vm::Activity;
using vm::Cycle;
using vm::RunStatus;

constexpr std::size_t kWaitOutput = static_cast<std::size_t>(Activity::WaitOutput);

Simulation run(const std::string& text, const std::string& profile) {
  Simulation s = simulate(text, {.profile = profile, .max_cycles = 10'000});
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s;
}

// One PE whose colours red and blue lead back to itself.
Simulation on_one_pe(const std::string& body, const std::string& profile) {
  return run(R"(
.grid 1, 1
.colour red, blue
.program one
  .i32 v[40] = i
  .i32 w[40]
  .microthread a, b
)" + body + R"(
.place one at (0, 0)
.route red at (0, 0): ramp -> ramp
.route blue at (0, 0): ramp -> ramp
)",
             profile);
}

// PE 0 runs `sender`, PE 1 `receiver`; red leads from one to the other.
Simulation on_two_pes(const std::string& sender, const std::string& receiver,
                      const std::string& profile) {
  return run(R"(
.grid 2, 1
.colour red
.entry told
.program sender
  .i32 v[8] = i
)" + sender + R"(
.program receiver
  .i32 v[8]
  .reg sum, undone
  .microthread a
)" + receiver + R"(
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
             profile);
}

std::string through_a_fifo(int elements, int capacity) {
  const std::string n = std::to_string(elements);
  return "  .i32 store[" + std::to_string(capacity) + "]\n  .fifo q = store\n" +
         "  task main:\n    mov32 q, v[0:" + n + "] async a\n    mov32 fabout(red, length=" + n +
         "), q async b\n    wait b\n    mark end\n    mov32 w[0:" + n + "], fabin(red)\n";
}

TEST(Fifo, WhatIsPushedCanBePoppedInTheNextCycle) {
  // Pushed in 0 .. n-1 and, in the slot for sends, popped in 1 .. n; finish n + 1. Only the first
  // four of them stay in the up-ramp, the down-ramp takes the others.
  EXPECT_EQ(first(on_one_pe(through_a_fifo(8, 8), "model"), "end"), 9u);
  // With two places: the one freed in t is pushed again in t + 1.
  EXPECT_EQ(first(on_one_pe(through_a_fifo(8, 2), "model"), "end"), 9u);
}

TEST(Fifo, APoppedPlaceIsFreeInTheNextCycle) {
  // One place: pushed in 0 2 4 .., popped in 1 3 5 ..: finish 2 n.
  EXPECT_EQ(first(on_one_pe(through_a_fifo(8, 1), "model"), "end"), 16u);
}

constexpr const char* kFillAndEmpty = R"(
  .i32 store[4]
  .fifo q = store
  .reg left
  task main:
    mov32 q, v[0:6]
    mark  filled
    getleft left
    assert left == 2
    mov32 w[0:6], q
    mark  emptied
    getleft left
    assert left == 2
    assert w[3] == 3
    mov32 q, v[8:10]                      ; round the end of the ring
    mov32 w[0:2], q
    assert w[1] == 9
    getleft left
    assert left == 0
)";

TEST(Fifo, SynchronousUseEndsWhereItWouldWait) {
  // Four pushes in 0 .. 3; in 4 it is full: finish 5. Four pops in 5 .. 8; empty in 9: finish 10.
  const Simulation model = on_one_pe(kFillAndEmpty, "model");
  EXPECT_EQ(first(model, "filled"), 5u);
  EXPECT_EQ(first(model, "emptied"), 10u);
  // Two loads of 10, start 2, four pushes from 22 on; full in 26, a drain of 4: finish 31.
  EXPECT_EQ(first(on_one_pe(kFillAndEmpty, "wse2-before"), "filled"), 31u);
}

const std::string kOnlyFill = R"(
  .i32 store[4]
  .fifo q = store
  task main:
    mov32 q, v[0:6]
)";

TEST(Fifo, TheCycleThatFindsItFullIsNoIssue) {
  const Simulation s = on_one_pe(kOnlyFill, "model");
  EXPECT_EQ(s.record.cycles, 4u);  // the last push in 3; nothing drains
  EXPECT_EQ(s.record.counters.pe_cycles[kWaitOutput], 0u);
  const Simulation later = on_one_pe(kOnlyFill + "    mov32 w[0:1], v[0:1]\n", "model");
  EXPECT_EQ(later.record.cycles, 6u);  // 0 .. 3, 4 finds it full, 5 moves
  EXPECT_EQ(later.record.counters.pe_cycles[kWaitOutput], 1u);
}

TEST(Fifo, TellsThatThereIsSomething) {
  const Simulation s = on_one_pe(R"(
  .i32 store[4]
  .fifo q = store on_leaving_empty=work
  task main:
    mov32 q, v[0:3] async a               ; 0 1 2: it leaves empty once
  task work:
    mark  work
    halt
)",
                                 "model");
  EXPECT_EQ(first(s, "work"), 1u);
  EXPECT_EQ(s.record.marks.at("work").count, 1u);
}

TEST(Fifo, TellsThatThereIsRoomAgain) {
  const Simulation s = on_one_pe(R"(
  .i32 store[2]
  .fifo q = store on_leaving_full=room
  task main:
    mov32 q, v[0:2]                       ; 0 1
    mov32 w[0:1], q                       ; 2: it leaves full
  task room:
    mark  room
    halt
)",
                                 "model");
  EXPECT_EQ(first(s, "room"), 3u);
}

std::string loopback_gather(int elements) {
  const std::string n = std::to_string(elements);
  return "  .i32 order[40] = (7 * i) % 40\n  task main:\n    mov32 fabout(red), order[0:" + n +
         "] async a\n    mov32 w[0:" + n + "], v[fabin(red)]\n    mark end\n";
}

TEST(Indexed, ALoopbackGatherTakesOneCycleForEachElementInDuplex) {
  // The first index is sent in 0 and comes back in 2 T_R + 1 = 5: n elements end in n + 5.
  for (const int n : {1, 10, 40}) {
    EXPECT_EQ(first(on_one_pe(loopback_gather(n), "model"), "end"), static_cast<Cycle>(n) + 5);
  }
}

TEST(Indexed, WaveletsHaveNoBankConflicts) {
  // Two gathers of v into one sum would read one bank; each element still takes one cycle.
  const Simulation s = on_one_pe(R"(
  .i32 same[10]
  task main:
    mov32 fabout(red), same async a
    add32 w[0:10], v[fabin(red)], v[8:18]
    mark end
)",
                                 "model");
  EXPECT_EQ(first(s, "end"), 15u);
}

constexpr const char* kWordsAndControl = R"(
  task main:
    mov32 fabout(red), v[0:5]
    mov32 fabout(red, control), control(told, nop)
)";

TEST(OnControl, TerminatesInTheCycleOfTheWavelet) {
  const std::string receiver = R"(
  task main:
    mov32 sum, 0
    add32 sum, sum, fabin(red, length=endless, on_control=terminate)
    mark  end
    getleft undone
    assert undone == -1
    assert sum == 10
)";
  // Words issued in 0 .. 4, the control wavelet in 5: taken in 5 + 1 + 2 T_R + 1 = 11; finish 12.
  EXPECT_EQ(first(on_two_pes(kWordsAndControl, receiver, "model"), "end"), 12u);
  // wse2-before: the sender's loads (10 + 10), start 2: words from 22 on, finish 26 + 1 + 4 = 31.
  // The value and the output of the control wavelet: one more load of 10 (41), start 2: issued in
  // 43, taken in 49; finish 49 + 1 + 4.
  EXPECT_EQ(first(on_two_pes(kWordsAndControl, receiver, "wse2-before"), "end"), 54u);
}

TEST(OnControl, EndsWithLessThanItsLength) {
  const Simulation s = on_two_pes(kWordsAndControl, R"(
  .dsr walk
  task main:
    setd  walk, save(v)
    mov32 walk, fabin(red, length=8, on_control=terminate)
    getleft undone
    assert undone == 3
    getdpos undone, walk
    assert undone == 5
)",
                                  "model");
  EXPECT_EQ(s.record.counters.elements, 5u + 1 + 5);
}

TEST(OnControl, ActivatesAndGoesOn) {
  const Simulation s = on_two_pes(R"(
  task main:
    mov32 fabout(red), v[0:2]
    mov32 fabout(red, control), control(told, nop)
    mov32 fabout(red), v[2:4]
)",
                                  R"(
  task main:
    mov32 v[0:4], fabin(red, on_control=activate(heard)) async a activate over
  task heard:
    mark  heard
  task over:
    mark  over
    halt
)",
                                  "model");
  EXPECT_EQ(first(s, "heard"), 9u);  // issued in 2, taken in 8, seen in 9
  EXPECT_EQ(first(s, "over"), 11u);  // words of 3 and 4, taken in 9 and 10
}

TEST(OnControl, AWaveletWithoutEntryEndsNothing) {
  const Simulation s = on_two_pes(R"(
  task main:
    mov32 fabout(red), v[0:2]
    mov32 fabout(red, control), control(31, nop)
    mov32 fabout(red), v[2:4]
    mov32 fabout(red, control), control(told, nop)
)",
                                  R"(
  task main:
    mov32 v, fabin(red, on_control=terminate)
    getleft undone
    assert undone == 4
    mark  end
)",
                                  "model");
  EXPECT_EQ(first(s, "end"), 12u);  // the last one issued in 5, taken in 11
}

TEST(OnControl, BehindTheLastElementTheWaveletBelongsToItsTask) {
  const Simulation s = on_two_pes(kWordsAndControl, R"(
  task main:
    mov32 v[0:5], fabin(red, on_control=activate(heard)) async a
    unblock red
  task heard:
    mark  heard
  task asked control told:
    mark  asked
    halt
)",
                                  "model");
  EXPECT_EQ(first(s, "heard"), wse::vm::kNever);
  EXPECT_EQ(first(s, "asked"), 11u);  // in the cycle in which the wavelet is there
}

TEST(Unbounded, InstructionsDoNotKeepAPeAlive) {
  const Simulation s = on_two_pes(kWordsAndControl, R"(
  task main:
    add32 sum, sum, fabin(red, length=endless) async a
    halt
  task never = 3:
)",
                                  "model");
  // The words are taken in 6 .. 10; in 11 nobody is there for the control wavelet.
  EXPECT_EQ(s.record.cycles, 11u);
}

// Reads with `getleft` what five words and a control wavelet have left: of a number, the rest.
TEST(Unbounded, NoNumberMeansEndless) {
  const auto left = [](const std::string& set_up, const std::string& operand) {
    const Simulation s = on_two_pes(kWordsAndControl, R"(
  .u32 stored[14]
  .i32 left
  .dsr from
  task main:
    mov32 sum, 0
)" + set_up + "    add32 sum, sum, " + operand + R"(
    getleft undone
    mov32 left, undone
    assert sum == 10
)",
                                    "model");
    const std::vector<std::uint32_t> words = s.words(1, 0, "left");
    return words.empty() ? 0 : static_cast<std::int32_t>(words[0]);
  };
  const auto after = [&left](const std::string& set_up) { return left(set_up, "from"); };
  const std::string kEndless = "    setd from, fabin(red, length=endless, on_control=terminate)\n";
  EXPECT_EQ(after(kEndless), -1);
  EXPECT_EQ(left("", "fabin(red, length=32766 + 1, on_control=terminate)"), 32762);
  EXPECT_EQ(left("", "fabin(red, length=32767 * x, on_control=terminate)"), 32762);
  EXPECT_EQ(after(kEndless + "    setdlen from, 32767\n"), 32762);
  EXPECT_EQ(after(kEndless + "    setdlen from, 16777215\n"), 16777210);
  // Through memory it stays what it is, and its length reads as -1, which nobody may set.
  EXPECT_EQ(after(kEndless + "    std stored[0], from\n    ldd from, stored[0]\n"), -1);
  EXPECT_EQ(after(kEndless + "    getdlen undone, from\n    assert undone == -1\n"), -1);
}

// A relay of as many words as "without bound" is in the vendor's SDK comes to its next line.
TEST(Unbounded, ARelayOfAnyNumberOfWordsEnds) {
  for (const std::string words : {"32766", "32767", "32768"}) {
    const Simulation s = simulate(R"(
.const N = 1
.grid 3, 1
.colour a, b
.program source
  task main:
    mov32 fabout(a, length=N), 5
.program relay
  .i32 done
  task main:
    mov32 fabout(b, length=N), fabin(a, length=N)
    mov32 done, 1
.program sink
  .i32 sum
  .reg s
  task main:
    mov32 s, 0
    add32 s, s, fabin(b, length=N)
    mov32 sum, s
.place source at (0, 0)
.place relay at (1, 0)
.place sink at (2, 0)
.route a at (0, 0): ramp -> east
.route a at (1, 0): west -> ramp
.route b at (1, 0): ramp -> east
.route b at (2, 0): west -> ramp
.expect done at (1, 0) == 1
.expect sum at (2, 0) == 5 * N
)",
                                  {.values = {{"N", words}}});
    // Two messages of B words, the second behind the first by 2 T_R + 2 cycles: B + 2 (2 T_R + 2).
    expect_law(s, std::stoull(words) + 12);
  }
}

}  // namespace
}  // namespace wse::test_laws::waiting_operands
