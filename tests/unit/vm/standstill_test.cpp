// Work that PEs may leave unfinished where nothing moves any more, and what makes that a deadlock.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/vm/both_transports.h"

namespace wse::standstill {
namespace {

using both_transports::expect_same_ends;
using vm::RunStatus;

// PE 1 serves PE 0, which sends `words` and halts; what PE 1 sends on `back` nobody takes.
std::string served(const std::string& code, const std::string& words = "") {
  return R"(
.grid 2, 1
.colour red, back
.program asks
  .i32 v[20] = i
  task main:
)" + words +
         R"(
    halt
.program serves
  .passive
  .i32 w[20]
  .i32 store[2]
  .fifo q = store
  .dsr walk
  task main:
)" + code +
         R"(
.place asks at (0, 0)
.place serves at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route back at (1, 0): ramp -> west
.route back at (0, 0): east -> ramp
)";
}

const std::string kTwoWords = "    mov32 fabout(red), v[0:2]";

void expect_halted(const std::string& code, const std::string& words = "") {
  SCOPED_TRACE(code);
  expect_same_ends(served(code, words));
}

void expect_deadlock(const std::string& code, const std::string& words = "") {
  SCOPED_TRACE(code);
  const auto ended = expect_same_ends(served(code, words), "model", RunStatus::Deadlock);
  EXPECT_TRUE(ended.record.message.contains("1 of 2 PEs with a program are not done"))
      << ended.record.message;
  EXPECT_TRUE(ended.record.message.contains("\n  PE(1, 0)")) << ended.record.message;
}

TEST(Standstill, AReceiveOfWhichNothingHasComeMayStay) {
  expect_halted("    mov32 w, fabin(red)");
  expect_halted("    mov32 w, fabin(red) async 1");
}

TEST(Standstill, AReceiveInTheMiddleIsUnfinished) {
  expect_deadlock("    mov32 w, fabin(red)", kTwoWords);
  expect_deadlock("    mov32 w, fabin(red) async 1", kTwoWords);
}

TEST(Standstill, ARelayMayStayUntilItsFirstWord) {
  const std::string relay = "    mov32 fabout(back, length=20), fabin(red, length=20) async 3";
  expect_halted(relay);
  expect_deadlock(relay, kTwoWords);
}

TEST(Standstill, ASendIsUnfinished) {
  expect_deadlock("    mov32 fabout(back), w");
  expect_deadlock("    mov32 fabout(back), w async 2");
  expect_deadlock("    mov32 fabout(back), w async 2\n    halt");
}

TEST(Standstill, TheMainThreadMayWaitForWhatMayStay) {
  const std::string waits = "    mov32 w, fabin(red) async 1\n    wait 1";
  expect_halted(waits);
  expect_deadlock(waits, kTwoWords);
}

TEST(Standstill, ADescriptorMayWaitForWhatMayStay) {
  const std::string waits =
      "    setd walk, save(w)\n    mov32 walk, fabin(red, length=20) async 1\n    setdlen walk, 3";
  expect_halted(waits);
  expect_deadlock(waits, kTwoWords);
}

TEST(Standstill, AnEmptyFifoMayStayAndAFullOneNot) {
  expect_halted("    mov32 w, q async 1");
  expect_deadlock("    mov32 q, w async 1");
  expect_deadlock("    mov32 q, fabin(red, length=2) async 1\n    mov32 w, q async 2", kTwoWords);
}

TEST(Standstill, WhatHasNoBoundMayStay) {
  expect_halted("    mov32 fabout(back, length=endless), fabin(red, length=endless) async 3",
                kTwoWords);
}

// Both wait for room in the middle of a send, and neither has begun to receive.
TEST(Standstill, ACircleOfServersIsNamed) {
  const auto ended = expect_same_ends(R"(
.grid 2, 1
.colour to_east, to_west
.program swap(rx: colour, tx: colour)
  .passive
  .f32 mine[100] = 1000 * x + i
  .f32 theirs[100]
  task main:
    fmovs fabout(tx), mine
    fmovs theirs, fabin(rx)
.place swap at (0, 0) with rx = to_west, tx = to_east
.place swap at (1, 0) with rx = to_east, tx = to_west
.route to_east at (0, 0): ramp -> east
.route to_east at (1, 0): west -> ramp
.route to_west at (1, 0): ramp -> west
.route to_west at (0, 0): east -> ramp
)",
                                      "wse2", RunStatus::Deadlock);
  EXPECT_TRUE(
      ended.record.message.contains("they wait for each other: PE(0, 0) -> PE(1, 0) -> PE(0, 0)"))
      << ended.record.message;
}

}  // namespace
}  // namespace wse::standstill
