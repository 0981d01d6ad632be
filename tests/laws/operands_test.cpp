// FIFOs, control wavelets that end an instruction, elements that wavelets name; and what else only
// one cycle tells from an error: rotating arbitration, the task of a teardown. Profile `model`;
// every number is derived by hand in the comment beside it.
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace {

using namespace wse;
using test_support::simulate;
using test_support::Simulation;
using vm::Cycle;
using vm::RunStatus;
using Words = std::vector<std::uint32_t>;

// One PE whose colour red leads back to itself.
Simulation on_one_pe(const std::string& body) {
  Simulation s = simulate(".grid 1, 1\n.colour red\n.program one\n" + body +
                          ".place one at (0, 0)\n.route red at (0, 0): ramp -> ramp\n");
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s;
}

Cycle first(const Simulation& s, const std::string& mark) {
  const auto found = s.record.marks.find(mark);
  return found == s.record.marks.end() ? vm::kNever : found->second.first;
}

TEST(Fifo, TakesAsManyElementsAsItHasRoomFor) {
  // Pushed in 0..3; full at the start of 4, which ends the instruction: it finishes in 5.
  const Simulation s = on_one_pe(R"(
  .i32 room[4]
  .i32 v[8] = i
  .i32 left
  .fifo q = room
  task main:
    mov32 q, v
    mark full
    getleft r1
    mov32 left, r1
)");
  EXPECT_EQ(first(s, "full"), 5u);
  EXPECT_EQ(s.words(0, 0, "left"), (Words{4}));
}

TEST(Fifo, AnElementIsPoppedFromTheCycleAfterItsPushOn) {
  // Pushed in 0..3 in the compute slot, popped in 1..4 in the send slot; received 5 cycles later.
  const Simulation s = on_one_pe(R"(
  .i32 room[4]
  .i32 v[4] = i + 1
  .i32 w[4]
  .fifo q = room
  task main:
    mov32 q, v async 0
    mov32 fabout(red, length=4), q async 1
    mov32 w, fabin(red)
    mark got
)");
  EXPECT_EQ(first(s, "got"), 4u + 5 + 1);
  EXPECT_EQ(s.words(0, 0, "w"), (Words{1, 2, 3, 4}));
}

TEST(OnControl, TerminateEndsAnInstruction) {
  // Three elements issue in 0..2, the control wavelet in 3: one cycle of the receiver, 5 later.
  const Simulation s = on_one_pe(R"(
  .i32 v[3] = i + 1
  .i32 w[8]
  .i32 left
  task main:
    mov32 fabout(red), v async 0
    wait 0
    mov32 fabout(red, control), control(9, nop) async 0
    mov32 w, fabin(red, on_control=terminate)
    mark ended
    getleft r1
    mov32 left, r1
)");
  EXPECT_EQ(first(s, "ended"), 3u + 5 + 1);
  EXPECT_EQ(s.words(0, 0, "left"), (Words{5}));
  EXPECT_EQ(s.words(0, 0, "w"), (Words{1, 2, 3, 0, 0, 0, 0, 0}));
}

TEST(Indexed, AWaveletNamesItsElement) {
  // Indices issue in 0..3, their elements 5 cycles later: one per cycle.
  const Simulation s = on_one_pe(R"(
  .i32 index[4] = 3 - i
  .i32 v[4] = 10 * i
  .i32 w[4]
  task main:
    mov32 fabout(red), index async 0
    mov32 w, v[fabin(red)]
    mark gathered
)");
  EXPECT_EQ(first(s, "gathered"), 3u + 5 + 1);
  EXPECT_EQ(s.words(0, 0, "w"), (Words{30, 20, 10, 0}));
}

TEST(Teardown, ItsTaskIsPickedARampLater) {
  // Issued in 0, the command acts in the router in 3: torn down from 4 on, picked in 4 + 2.
  const Simulation s = on_one_pe(R"(
  task main:
    mov32 fabout(red, control), control(31, teardown)
  task torn teardown red:
    mark torn
    halt
)");
  EXPECT_EQ(first(s, "torn"), 6u);
}

// Eight words from the west and eight of the middle PE meet at its router in cycle 4.
Simulation meeting(isa::Arbitration arbitration) {
  return simulate(R"(
.grid 3, 1
.colour low = 0, high = 12
.program west
  .i32 v[8]
  task main:
    mov32 fabout(low), v
.program middle
  .i32 v[8]
  task main:
    mov32 v[0:1], 1
    mov32 fabout(high), v
.program east
  .i32 v[8]
  .i32 w[8]
  task main:
    mov32 v, fabin(low) async 0 activate got_low
    mov32 w, fabin(high) async 1 activate got_high
  task got_low:
    mark low
    add32 r0, r0, 1
    beq r0, 2, done
    end
  task got_high:
    mark high
    add32 r0, r0, 1
    beq r0, 2, done
    end
  done:
    halt
.place west at (0, 0)
.place middle at (1, 0)
.place east at (2, 0)
.route low at (0, 0): ramp -> east
.route low at (1, 0): west -> east
.route low at (2, 0): west -> ramp
.route high at (1, 0): ramp -> east
.route high at (2, 0): west -> ramp
)",
                  {.adjust = [arbitration](isa::Profile& profile) {
                    profile.arbitration = static_cast<std::uint32_t>(arbitration);
                  }});
}

TEST(Arbitration, RotatesWithTheCycle) {
  // The link takes 8 words of one colour in 4..11, of the other in 12..19; each is received 3
  // cycles after it, and its task is picked in the cycle after that. Fixed: the lower first. In
  // cycles 1..12 of 24 colour 12 comes before colour 0.
  const Simulation fixed = meeting(isa::Arbitration::Fixed);
  EXPECT_EQ(first(fixed, "low"), 11u + 4);
  EXPECT_EQ(first(fixed, "high"), 19u + 4);
  const Simulation rotating = meeting(isa::Arbitration::Rotate);
  EXPECT_EQ(first(rotating, "high"), 11u + 4);
  EXPECT_EQ(first(rotating, "low"), 19u + 4);
}

}  // namespace
