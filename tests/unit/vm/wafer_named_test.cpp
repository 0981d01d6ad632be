// Operands that wavelets name, and descriptors that are loaded, on the wafer as on the stepper: who
// names is far away, names what is not there, or is told to stop.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/simulation.h"
#include "tests/unit/vm/both_transports.h"

namespace wse::wafer_named {
namespace {

using both_transports::Ended;
using both_transports::expect_same_ends;

// Names go down from strip to strip; each row passes on the elements that they name as the next
// row's names, and notes which were named.
TEST(WaferNamed, NamesThatComeFromOtherStrips) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.const W = 64
.const H = 24
.const B = 17
.grid W, H
.colour red, blue, own
.program head(tx: colour)
  .i32 v[B] = (x + 5 * i) % B
  task main:
    mov32 fabout(tx), v
.program relay(rx: colour, tx: colour)
  .i32 next[B] = (i + 1) % B
  .i32 seen[B]
  .i32 ones[B] = 1
  task main:
    mov32 fabout(tx), next[fabin(rx, length=B)] async 1
    mov32 fabout(own), next async 4
    add32 seen[fabin(own, length=B)], ones, y
.program last(rx: colour)
  .i32 w[B]
  .i32 store[5]
  .fifo q = store
  .i32 table[B] = 100 * i
  task main:
    mov32 q, table[fabin(rx, length=B)] async 2
    mov32 w, q async 3
.place head at (0..W - 1 step 21, 0) with tx = red
.place relay at (0..W - 1 step 21, 1..H - 2) with rx = y % 2 ? red : blue, tx = y % 2 ? blue : red
.place last at (0..W - 1 step 21, H - 1) with rx = red
.route red at (0..W - 1 step 21, 0..H - 2 step 2): ramp -> south
.route red at (0..W - 1 step 21, 1..H - 1 step 2): north -> ramp
.route blue at (0..W - 1 step 21, 1..H - 2 step 2): ramp -> south
.route blue at (0..W - 1 step 21, 2..H - 1 step 2): north -> ramp
.route own at (0..W - 1 step 21, 1..H - 2): ramp -> ramp
)",
                                         profile);
    const std::vector<std::uint32_t> w = ended.words(63, 23, "w");
    for (std::uint32_t k = 0; k < 17; ++k) EXPECT_EQ(w[k], 100 * ((63 + 5 * k + 22) % 17));
    EXPECT_EQ(ended.words(0, 1, "seen")[3], 2u);
  }
}

// Two traps in one cycle, a third one later; the word that names nothing came by way of a
// microthread that forwards.
TEST(WaferNamed, TrapsInTheCycleOfTheIssue) {
  for (const int wrong : {3, 7}) {
    expect_same_ends(fmt::format(R"(
.grid 4, 1
.colour red, blue
.program from
  .i32 v[9] = i == {} ? 50 : i
  task main:
    mov32 fabout(red), v
.program pass
  .i32 w[9]
  task main:
    mov32 fabout(blue), fabin(red, length=9) async 1
    mov32 w, 4
.program to
  .i32 w[9]
  .i32 v[9] = 7 * i
  .i32 other[9]
  task main:
    mov32 w[fabin(blue, length=9)], v
.place from at (0, 0)
.place pass at (1, 0)
.place to at (2..3, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (1, 0): ramp -> east
.route blue at (2, 0): west -> ramp, east
.route blue at (3, 0): west -> ramp
)",
                                 wrong),
                     "model", vm::RunStatus::Trap);
  }
}

// Both the elements read and those written are named, until a control wavelet ends it.
TEST(WaferNamed, EndsWithAControlWavelet) {
  const Ended ended = expect_same_ends(R"(
.grid 3, 1
.colour red, blue
.entry over
.program from(tx: colour, turn: const)
  .i32 v[6] = turn * i % 7
  task main:
    mov32 fabout(tx), v
    mov32 fabout(tx, control), control(over, nop)
.program middle
  .i32 w[7]
  .i32 v[7] = 10 + i
  .reg left
  task main:
    add32 w[fabin(red, length=9, on_control=terminate)], v[fabin(blue, length=9)], 1
    getleft left
    assert left == 3
.place from at (0, 0) with tx = red, turn = 2
.place from at (2, 0) with tx = blue, turn = 3
.place middle at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (2, 0): ramp -> west
.route blue at (1, 0): east -> ramp
)");
  EXPECT_EQ(ended.words(1, 0, "w"), (std::vector<std::uint32_t>{11, 16, 14, 12, 17, 0, 13}));
}

// What `ldd` loads may be anything, a FIFO, a name, an input that a control wavelet ends.
TEST(WaferNamed, DescriptorsThatAreLoaded) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.grid 1, 1
.colour own, other
.entry over
.program one
  .i32 v[8] = (3 * i) % 8
  .i32 w[9]
  .i32 table[8] = 20 + i
  .i32 store[3]
  .fifo q = store
  .u32 stored[42]
  .dsr a, b, c
  task main:
    setd a, q
    setd b, table[fabin(own, length=8)]
    setd c, fabin(other, length=9, on_control=terminate)
    std  stored[0], a
    std  stored[14], b
    std  stored[28], c
    ldd  b, stored[0]
    ldd  c, stored[14]
    ldd  a, stored[28]
    mov32 fabout(own), v async 1
    mov32 b, c async 2
    mov32 fabout(other, length=8), b async 3 activate last
    mov32 w, a async 4 activate done
  task last:
    mov32 fabout(other, control), control(over, nop)
  task done:
    halt
.place one at (0, 0)
.route own at (0, 0): ramp -> ramp
.route other at (0, 0): ramp -> ramp
)",
                                         profile);
    const std::vector<std::uint32_t> w = ended.words(0, 0, "w");
    for (std::uint32_t k = 0; k < 8; ++k) EXPECT_EQ(w[k], 20 + 3 * k % 8);
  }
}

TEST(WaferNamed, ProgramsThatUseThem) {
  for (const char* name : {"gather-loopback", "sparse-input"}) {
    expect_same_ends(test_support::program_text(name));
  }
}

}  // namespace
}  // namespace wse::wafer_named
