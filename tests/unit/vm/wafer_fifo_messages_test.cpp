// FIFOs between messages on the wafer: words that go in from the fabric or out to it, across blocks
// and strips.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/vm/both_transports.h"

namespace wse::wafer_fifo_messages {
namespace {

using both_transports::Ended;
using both_transports::expect_same_ends;

// `receiver` takes words of red that `sender` sends, three links away.
std::string pair(const std::string& sender, const std::string& receiver) {
  return R"(
.grid 4, 1
.colour red
.entry noted
.program sender
  .i32 v[300] = i
)" + sender +
         R"(
.program receiver
  .i32 w[310]
)" + receiver +
         R"(
.place sender at (0, 0)
.place receiver at (3, 0)
.route red at (0, 0): ramp -> east
.route red at (1..2, 0): west -> east
.route red at (3, 0): west -> ramp
)";
}

// `sender` in the top row of 64 x 24 PEs, `relay` in those below, `receiver` in the last: words of
// red and blue go down, in turn. There are several blocks of PEs.
std::string columns(const std::string& sender, const std::string& relay,
                    const std::string& receiver) {
  return R"(
.const W = 64
.const H = 24
.grid W, H
.colour red, blue
.program sender(tx: colour)
  .i32 v[30] = x + i
)" + sender +
         R"(
.program relay(rx: colour, tx: colour)
  .i32 v[30] = x + y + i
)" + relay +
         R"(
.program receiver(rx: colour)
  .i32 w[30]
)" + receiver +
         R"(
.place sender at (0..W - 1 step 21, 0) with tx = red
.place relay at (0..W - 1 step 21, 1..H - 2) with rx = y % 2 ? red : blue, tx = y % 2 ? blue : red
.place receiver at (0..W - 1 step 21, H - 1) with rx = red
.route red at (0..W - 1 step 21, 0..H - 2 step 2): ramp -> south
.route red at (0..W - 1 step 21, 1..H - 1 step 2): north -> ramp
.route blue at (0..W - 1 step 21, 1..H - 2 step 2): ramp -> south
.route blue at (0..W - 1 step 21, 2..H - 1 step 2): north -> ramp
)";
}

// The receiver is slow: its FIFO is full, then its down-ramp, then the queues of all routers.
TEST(WaferFifo, AFullOneHoldsUpTheSender) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(pair(R"(
  task main:
    mov32 fabout(red), v
)",
                                              R"(
  .i32 store[5]
  .fifo q = store
  .reg k, turns
  .microthread fill
  task main:
    mov32 q, fabin(red, length=300) async fill
    mov32 k, 0
  next:
    mov32 turns, 12
  again:
    sub32 turns, turns, 1
    bne   turns, 0, again
    add32 w[k :+ 10], w[k :+ 10], q       ; may end early
    getleft turns
    sub32 turns, 10, turns
    add32 k, k, turns
    blt   k, 300, next
)"),
                                         profile);
    const std::vector<std::uint32_t> w = ended.words(3, 0, "w");
    for (std::uint32_t k = 0; k < 300; ++k) EXPECT_EQ(w[k], k);
  }
}

// One fills at a word per cycle, the other has the slot in every other cycle only.
TEST(WaferFifo, MicrothreadsOfDifferentRates) {
  for (const char* profile : {"model", "wse2"}) {
    expect_same_ends(columns(R"(
  task main:
    mov32 fabout(tx), v
)",
                             R"(
  .i32 store[9]
  .f32 other[50]
  .fifo q = store
  task main:
    add32 q, v, fabin(rx) async 3
    mov32 fabout(tx, length=30), q async 2
    fmuls other, other, 0.5
)",
                             R"(
  task main:
    mov32 w[0:20], fabin(rx)
    mov32 w[20:30], fabin(rx)
)"),
                     profile);
  }
}

// All words of a column are in FIFOs when blocks begin to rest: they must step when one is full.
TEST(WaferFifo, FillsAndEmptiesWhileBlocksRest) {
  const Ended ended = expect_same_ends(R"(
.const W = 70
.const H = 20
.const B = 400
.grid W, H
.colour red
.program from
  .i32 v[B] = i
  .i32 store[250]
  .reg turns
  .microthread fill
  .fifo q = store on_leaving_full=room
  task main:
    mov32 q, v async fill
    mov32 turns, 60 + x - 2 * y
  again:
    sub32 turns, turns, 1
    bne turns, 0, again
    mov32 fabout(red, length=B), q async 1 activate done
  task room:
    mark room
  task done:
    mark done
    halt
.program to
  .i32 w[B]
  task main:
    mov32 w, fabin(red)
.place from at (0..W - 1 step 23, 0..H - 1 step 2)
.place to at (0..W - 1 step 23, 1..H - 1 step 2)
.route red at (0..W - 1 step 23, 0..H - 1 step 2): ramp -> south
.route red at (0..W - 1 step 23, 1..H - 1 step 2): north -> ramp
)",
                                       "wse2");
  EXPECT_EQ(ended.record.marks.at("done").count, 40u);
  const std::vector<std::uint32_t> w = ended.words(69, 19, "w");
  for (std::uint32_t k = 0; k < 400; ++k) EXPECT_EQ(w[k], k);
}

// What a send that ends early leaves of its message crosses borders; the next one follows it.
TEST(WaferFifo, SendsThatEndEarly) {
  const std::string relay = R"(
  .i32 store[7]
  .fifo q = store
  .reg left
  .dsr out
  task main:
    mov32 q, fabin(rx, length=30) async 0
    setd  out, fabout(tx, length=30)
  next:
    add32 v, v, 1                         ; takes a while
    mov32 out, q
    getleft left
    setdlen out, left
    bne   left, 0, next
)";
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(
        columns("  task main:\n    mov32 fabout(tx), v\n", relay,
                "  task main:\n    mov32 w[0:13], fabin(rx)\n    mov32 w[13:30], fabin(rx)\n"),
        profile);
    const std::vector<std::uint32_t> w = ended.words(63, 23, "w");
    for (std::uint32_t k = 0; k < 30; ++k) EXPECT_EQ(w[k], 63 + k);
  }
}

// The switch advances after the last word; of a send that ends early nothing is the last word,
// although it may be the first.
TEST(WaferFifo, ASendThatEndsEarlyDoesNotAdvance) {
  for (const int words : {0, 1, 3, 4}) {
    const Ended ended = expect_same_ends(fmt::format(R"(
.grid 3, 1
.colour red
.program middle
  .i32 v[4] = 10 + i
  .i32 store[8]
  .fifo q = store
  task main:
    mov32 q, v[0:{0}]
    mov32 fabout(red, length=4, advance), q
    mov32 fabout(red), v[0:2]
.program side
  .i32 w[8]
  task main:
    mov32 w, fabin(red, length=8) async 0
    halt
.place middle at (1, 0)
.place side at (0, 0)
.place side at (2, 0)
.route red at (1, 0): [ramp -> west] [-> east]
.route red at (0, 0): east -> ramp
.route red at (2, 0): west -> ramp
)",
                                                     words),
                                         "model", vm::RunStatus::Deadlock);
    EXPECT_EQ(ended.record.positions.size(), words == 4 ? 1u : 0u);
    EXPECT_EQ(ended.words(2, 0, "w")[0], words == 4 ? 10u : 0u);
  }
}

TEST(WaferFifo, ControlWaveletsComeOutOfOne) {
  const Ended ended = expect_same_ends(pair(R"(
  .u32 words[3]
  .u32 store[2]
  .fifo q = store
  task main:
    mov32 words[0], control(noted, nop) | 11
    mov32 words[1], control(noted, nop) | 13
    mov32 words[2], control(noted, nop) | 15
    mov32 q, words async 0
    mov32 fabout(red, control, length=3), q async 1
)",
                                            R"(
  .reg seen, k
  task main:
    mov32 k, 0
    unblock red
  task note control noted (seen):
    and32 seen, seen, 0x3f
    mov32 w[k], seen
    add32 k, k, 1
    blt   k, 3, on
    halt
  on:
    and32 seen, seen, 1
)"));
  const std::vector<std::uint32_t> w = ended.words(3, 0, "w");
  EXPECT_EQ(std::vector(w.begin(), w.begin() + 3), (std::vector<std::uint32_t>{11, 13, 15}));
}

// Messages go through a FIFO for ever; what has passed it leaves the room that it took.
TEST(WaferFifo, WithoutEnd) {
  const Ended ended = expect_same_ends(pair(R"(
  .reg k
  task main:
    mov32 k, 0
  again:
    mov32 fabout(red), v
    add32 v, v, 300
    add32 k, k, 1
    bne   k, 30, again
)",
                                            R"(
  .i32 all[9000]
  .i32 store[3]
  .fifo q = store
  task main:
    mov32 q, fabin(red, length=endless) async 0
    mov32 all, q async 1
    halt
)"));
  const std::vector<std::uint32_t> all = ended.words(3, 0, "all");
  for (std::uint32_t k = 0; k < 9000; ++k) ASSERT_EQ(all[k], k);
}

TEST(WaferFifo, PackedWaveletsFillAndDrainOne) {
  for (const char* profile : {"model", "wse2", "wse3"}) {
    expect_same_ends(R"(
.grid 2, 1
.colour red, blue
.program left
  .i16 v[31] = 5 * i
  .i16 w[32]
  task main:
    mov16 fabout(red, packed), v async 0
    mov16 w[0:9], fabin(blue, packed) async 1
.program right
  .i16 w[31]
  .i16 store[3]
  .fifo q = store
  task main:
    mov16 q, fabin(red, packed, length=31) async 0
    mov16 w[0:1], q                       ; nothing is there
    mov16 fabout(blue, packed, length=9), q async 3
    wait  3
    mov16 w[0:22], q async 3
.place left at (0, 0)
.place right at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (1, 0): ramp -> west
.route blue at (0, 0): east -> ramp
)",
                     profile);
  }
}

// Half of a packed wavelet is never sent, nor told of.
TEST(WaferFifo, AnOddElementOfASendThatEndsEarlyIsNoWord) {
  const Ended ended = expect_same_ends(R"(
.grid 2, 1
.colour red
.program left
  .i16 v[3] = i
  .i16 store[4]
  .fifo q = store
  task main:
    mov16 q, v
    mov16 fabout(red, packed, length=8), q
.program right
  .i16 w[4]
  task main:
    mov16 w, fabin(red, packed)
.place left at (0, 0)
.place right at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                                       "model", vm::RunStatus::Deadlock);
  EXPECT_TRUE(ended.record.message.contains("received 1 of 2 words")) << ended.record.message;
  EXPECT_TRUE(ended.record.message.contains("after sending 1 word ")) << ended.record.message;
}

}  // namespace
}  // namespace wse::wafer_fifo_messages
