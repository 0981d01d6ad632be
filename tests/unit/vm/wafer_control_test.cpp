// Control wavelets that instructions take, on the wafer as on the stepper: what they end, across
// blocks and strips, and what they tell.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/vm/both_transports.h"

namespace wse::wafer_control {
namespace {

using both_transports::Ended;
using both_transports::expect_same_ends;

// Rows pass on what comes until a control wavelet ends it, then a second message of known length:
// the first one has as many words in other strips as were sent.
TEST(WaferControl, EndsWhatIsPassedOn) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.const W = 64
.const H = 24
.const B = 14
.grid W, H
.colour red, blue
.entry over
.program head(tx: colour)
  .i32 v[B] = x + i
  task main:
    mov32 fabout(tx), v
    mov32 fabout(tx, control), control(over, nop)
    mov32 fabout(tx), v[0:5]
.program relay(rx: colour, tx: colour)
  .i32 v[B] = y
  .reg left
  task main:
    neg32 fabout(tx), fabin(rx, length=0x7fff, on_control=terminate)
    getleft left
    assert left == -1
    mov32 fabout(tx, control), control(over, nop)
    add32 fabout(tx), v[0:5], fabin(rx)
.program last(rx: colour)
  .i32 w[B + 5]
  .reg left
  .dsr walk
  task main:
    setd  walk, save(w)
    mov32 walk, fabin(rx, length=B + 5, on_control=terminate)
    getleft left
    assert left == 5
    mov32 w[B:B + 5], fabin(rx)
.place head at (0..W - 1 step 21, 0) with tx = red
.place relay at (0..W - 1 step 21, 1..H - 2) with rx = y % 2 ? red : blue, tx = y % 2 ? blue : red
.place last at (0..W - 1 step 21, H - 1) with rx = red
.route red at (0..W - 1 step 21, 0..H - 2 step 2): ramp -> south
.route red at (0..W - 1 step 21, 1..H - 1 step 2): north -> ramp
.route blue at (0..W - 1 step 21, 1..H - 2 step 2): ramp -> south
.route blue at (0..W - 1 step 21, 2..H - 1 step 2): north -> ramp
)",
                                         profile);
    const std::vector<std::uint32_t> w = ended.words(63, 23, "w");
    for (std::uint32_t k = 0; k < 14; ++k) EXPECT_EQ(w[k], 63 + k);  // turned 22 times
    for (std::uint32_t k = 0; k < 5; ++k) EXPECT_EQ(w[14 + k], 63 + k + 22 * 23 / 2);
  }
}

// `told` is activated by one input, unblocked by the other, at times by both in one cycle.
TEST(WaferControl, TellsTasksOfWhatComesBetweenWords) {
  for (const char* profile : {"model", "wse2"}) {
    expect_same_ends(R"(
.grid 3, 1
.colour red, blue
.entry noted
.program from(tx: colour)
  .i32 v[9] = x + i
  task main:
    mov32 fabout(tx), v[0:4]
    mov32 fabout(tx, control), control(noted, nop)
    mov32 fabout(tx, control), control(noted, nop)
    mov32 fabout(tx), v[4:9]
.program middle
  .i32 w[9]
  .reg told, seen
  task main:
    mov32 told, 0
    block held
    activate held
    add32 w, fabin(red, length=9, on_control=activate(note)), fabin(blue, length=9, on_control=unblock(held)) async 3 activate over
  task note:
    add32 told, told, 1
    mark  note
  task held:
    mark  held
  task over:
    mark  over
    halt
.place from at (0, 0) with tx = red
.place from at (2, 0) with tx = blue
.place middle at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (2, 0): ramp -> west
.route blue at (1, 0): east -> ramp
)",
                     profile);
  }
}

// Halves of a packed wavelet: a control wavelet between two wavelets waits for the second half.
TEST(WaferControl, EndsPackedWords) {
  for (const char* profile : {"model", "wse2", "wse3"}) {
    const Ended ended = expect_same_ends(R"(
.grid 3, 1
.colour red
.entry over
.program from
  .i16 v[11] = 3 * i
  task main:
    mov16 fabout(red, packed), v
    mov32 fabout(red, control), control(over, nop)
    mov16 fabout(red, packed), v[0:4]
.program to
  .i16 w[20]
  .i16 x[4]
  .i16 store[3]
  .reg left
  .fifo q = store
  .dsr walk
  task main:
    mov16 q, fabin(red, packed, length=0x7fff, on_control=terminate) async 2
    setd  walk, save(w)
    setdlen walk, 12
    mov16 walk, q async 4
    wait  2
    mov16 x, fabin(red, packed) async 2
    wait  4
.place from at (0, 0)
.place to at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east
.route red at (2, 0): west -> ramp
)",
                                         profile);
    EXPECT_EQ(ended.words(2, 0, "w")[10], 30u);
  }
}

}  // namespace
}  // namespace wse::wafer_control
