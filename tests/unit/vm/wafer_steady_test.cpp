// What must wake a steady block of the wafer: streams that stop and go on, here and beside borders
// of blocks and strips, and cores that act beside a stream.
#include <gtest/gtest.h>

#include "tests/unit/vm/both_transports.h"

namespace wse::wafer_steady {
namespace {

using both_transports::expect_same_ends;

// Microthreads send and take a long message, but code takes their slots for many cycles, at other
// times in each PE: streams through three blocks stop for want of words, and of room.
TEST(WaferSteady, StreamsThatStopAndGoOn) {
  for (const char* profile : {"model", "wse2"}) {
    expect_same_ends(R"(
.const H = 24
.const B = 200
.grid 64, H
.colour red
.program from
  .i32 v[B] = i
  .f32 other[80]
  .reg k
  task main:
    mov32 fabout(red), v async 1
    fmuls other[0:10 + x], other[0:10 + x], 0.5
    mov32 k, 0
  again:
    add32 k, k, 1
    blt   k, 20 + x, again
    fmuls other, other, 0.5
    wait  1
.program to
  .i32 w[B]
  .f32 other[40]
  .reg k
  task main:
    mov32 w, fabin(red) async 1
    fmuls other, other, 0.5
    fmuls other, other, 0.5
    mov32 k, 0
  again:
    add32 k, k, 1
    blt   k, 60, again
    fmuls other, other, 0.5
    wait  1
.place from at (0..63 step 9, 0)
.place to at (0..63 step 9, H - 1)
.route red at (0..63 step 9, 0): ramp -> south
.route red at (0..63 step 9, 1..H - 2): north -> south
.route red at (0..63 step 9, H - 1): north -> ramp
)",
                     profile);
  }
}

// The block is steady while a word of blue waits in a down-ramp, until an instruction on memory is
// over and a task takes it, and while one of green waits in a router, until the switch turns.
TEST(WaferSteady, CoresThatActBesideAStream) {
  for (const char* profile : {"model", "wse2"}) {
    const both_transports::Ended ended = expect_same_ends(R"(
.const B = 300
.grid 5, 1
.colour red, blue, green
.program streams
  .i32 v[B] = i
  task main:
    mov32 fabout(red), v
.program takes
  .i32 w[B]
  .i32 late[1]
  task main:
    mov32 w, fabin(red)
    mov32 late, fabin(green)
.program turns
  .reg k
  .i32 v[2]
  task main:
    mov32 k, 0
  again:
    add32 k, k, 1
    blt   k, 60, again
    mov32 fabout(green, advance), v[0:0]
.program tells
  task main:
    mov32 fabout(blue), 5
    mov32 fabout(green), 6
.program told
  .f32 other[90]
  task main:
    fmuls other, other, 0.5
  task told on blue:
    mark  told
    halt
.place streams at (0, 0)
.place takes at (1, 0)
.place turns at (2, 0)
.place tells at (3, 0)
.place told at (4, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (3, 0): ramp -> east
.route blue at (4, 0): west -> ramp
.route green at (3, 0): ramp -> west
.route green at (2, 0): [ramp -> west] [east -> west]
.route green at (1, 0): east -> ramp
)",
                                                          profile);
    EXPECT_EQ(ended.record.marks.at("told").count, 1u);
  }
}

// Code takes a slot of a stream that flows for 50 cycles after each division.
TEST(WaferSteady, CodeThatTakesASlotOfAStream) {
  expect_same_ends(R"(
.const B = 200
.grid 2, 1
.colour red
.program from
  .i32 v[B] = i
  task main:
    fmovs r1, 3.0
    mov32 fabout(red), v async 1
    fdivs r1, r1, 2.0
    block later
    fdivs r1, r1, 2.0
    unblock later
    fdivs r1, r1, 2.0
    wait  1
    halt
  task later:
    halt
.program to
  .i32 w[B]
  task main:
    mov32 w, fabin(red)
.place from at (0, 0)
.place to at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                   "wse2");
}

}  // namespace
}  // namespace wse::wafer_steady
