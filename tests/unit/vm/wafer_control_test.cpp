// Control wavelets that instructions take, and filters that are written, on the wafer as on the
// stepper: what they end, across blocks and strips, what they tell, and which words they drop.
#include <fmt/format.h>
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
    neg32 fabout(tx), fabin(rx, length=endless, on_control=terminate)
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

// The task starts in the middle of what a thread receives. The picker looks at the control wavelet
// while words before it, which have left the queue, are not applied.
TEST(WaferControl, StartsATaskBesideAReceive) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.grid 2, 1
.colour red
.program from
  .f32 v[9] = i
  task main:
    fmovs fabout(red), v
    mov32 fabout(red, control), control(40, nop)
    fmovs fabout(red), v
    fmovs fabout(red), v[0:8]
.program to
  .f32 w[26]
  task main:
    unblock red
    fmovs w, fabin(red) async 0 activate done
  task noted control 40:
    mark  noted
  task done:
    halt
.place from at (0, 0)
.place to at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                                         profile);
    EXPECT_EQ(ended.record.marks.at("noted").count, 1);
    EXPECT_EQ(ended.words(1, 0, "w")[18], 0);
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

// The first control wavelet is hidden from both PEs that it passes; the last one tears down the
// colour on which it comes back.
TEST(WaferControl, HidesWaveletsAndTearsDown) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.grid 3, 1
.colour red, blue
.program from
  task main:
    mov32 fabout(red, control), control(40, ignore(nop))
    mov32 fabout(red, control), control(40, nop)
    mov32 fabout(blue, control), control(31, teardown)
  task torn teardown blue:
    mark  torn
    halt
.program to
  task main:
    unblock red
  task noted control 40:
    mark  noted
    halt
.place from at (0, 0)
.place to at (1..2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp, east
.route red at (2, 0): west -> ramp
.route blue at (0, 0): ramp -> ramp
)",
                                         profile);
    EXPECT_EQ(ended.record.marks.at("noted").count, 2u);
    EXPECT_EQ(ended.record.marks.at("torn").count, 1u);
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
    mov16 q, fabin(red, packed, length=endless, on_control=terminate) async 2
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

// One message, a word every 30 cycles, is forwarded as a whole; meanwhile a PE on its way gets
// other filters, so that the next word begins what goes to it, or is dropped.
TEST(WaferControl, FiltersThatAreWrittenInTheMiddleOfAMessage) {
  const Ended ended = expect_same_ends(R"(
.const W = 64
.const H = 24
.const B = 20
.grid W, H
.colour feed, red
.program slow
  .f32 other[30]
  .reg k
  task main:
    mov32 k, 0
  again:
    mov32 fabout(feed), k
    fmuls other, other, 0.5
    add32 k, k, 1
    blt   k, B, again
.program whole
  .i32 v[B] = 100
  task main:
    add32 fabout(red), v, fabin(feed)
.program middle
  .f32 other[122]
  .i32 w[11]
  .filtering all = counter max=30 limit=40
  .filtering some = sparse max=0 limit=1 start=0 then=2
  task main:
    fmuls other, other, 0.5
    setfilter red, all
    mov32 w[0:4], fabin(red)
    fmuls other[0:10], other[0:10], 0.5
    setfilter red, some
    mov32 w[4:8], fabin(red)
.program last
  .i32 w[B]
  task main:
    mov32 w, fabin(red)
.place slow at (0..W - 1 step 21, 0)
.place whole at (0..W - 1 step 21, 1)
.place middle at (0..W - 1 step 21, 9)
.place middle at (0..W - 1 step 21, 17)
.place last at (0..W - 1 step 21, H - 1)
.route feed at (0..W - 1 step 21, 0): ramp -> south
.route feed at (0..W - 1 step 21, 1): north -> ramp
.route red at (0..W - 1 step 21, 1): ramp -> south
.route red at (0..W - 1 step 21, 2..8): north -> south
.route red at (0..W - 1 step 21, 9): north -> ramp, south
.route red at (0..W - 1 step 21, 10..16): north -> south
.route red at (0..W - 1 step 21, 17): north -> ramp, south
.route red at (0..W - 1 step 21, 18..H - 2): north -> south
.route red at (0..W - 1 step 21, H - 1): north -> ramp
.filter red at (0..W - 1 step 21, 9): counter max=0 limit=9 start=1
.filter red at (0..W - 1 step 21, 17): counter max=0 limit=9 start=2
)");
  EXPECT_EQ(ended.words(63, 9, "w"),
            (std::vector<std::uint32_t>{104, 105, 106, 107, 108, 110, 113, 116, 0, 0, 0}));
}

// A filter counts words alone, also where control wavelets come between them.
TEST(WaferControl, FiltersDoNotCountControlWavelets) {
  const Ended ended = expect_same_ends(R"(
.grid 2, 1
.colour red
.program from
  .i32 v[9] = i
  task main:
    mov32 fabout(red), v[0:3]
    mov32 fabout(red, control), control(31, nop)
    mov32 fabout(red), v[3:6]
    mov32 fabout(red, control), control(31, nop)
    mov32 fabout(red), v[6:9]
.program to
  .i32 w[5]
  task main:
    mov32 w, fabin(red)
.place from at (0, 0)
.place to at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.filter red at (1, 0): counter max=1 limit=3 start=0 counts=data
)");
  EXPECT_EQ(ended.words(1, 0, "w"), (std::vector<std::uint32_t>{0, 1, 4, 5, 8}));
}

// All words of a message move on, a word per cycle, while filters of several lengths count them:
// blocks rest up to the next word that is dropped, or is not. Who wants more words than come is
// told how many were dropped.
TEST(WaferControl, FiltersCountWhileBlocksRest) {
  const auto with_words_at_each = [](int words) {
    return fmt::format(R"(
.const W = 70
.const H = 12
.const B = 600
.const WORDS = {}
.grid W, H
.colour red
.program from
  .i32 v[B] = i
  task main:
    mov32 fabout(red), v
.program some
  .i32 w[WORDS]
  task main:
    mov32 w, fabin(red)
.program all
  .i32 w[B]
  task main:
    mov32 w, fabin(red)
.place from at (0..W - 1 step 23, 0)
.place some at (0..W - 1 step 23, 1..H - 2)
.place all at (0..W - 1 step 23, H - 1)
.route red at (0..W - 1 step 23, 0): ramp -> south
.route red at (0..W - 1 step 23, 1..H - 2): north -> ramp, south
.route red at (0..W - 1 step 23, H - 1): north -> ramp
.filter red at (0..W - 1 step 23, 1..H - 2): counter max=59 limit=(B - 1) start=50 * y + x
)",
                       words);
  };
  // It begins with 223: so many words are not there before a round is over and it lets others pass.
  const Ended ended = expect_same_ends(with_words_at_each(60), "wse2");
  const std::vector<std::uint32_t> w = ended.words(23, 4, "w");
  for (std::uint32_t k = 0; k < 60; ++k) EXPECT_EQ(w[k], 600 - 223 + k);

  const Ended stuck = expect_same_ends(with_words_at_each(61), "wse2", vm::RunStatus::Deadlock);
  EXPECT_NE(stuck.record.message.find("dropped 540 of the 600"), std::string::npos)
      << stuck.record.message;
}

}  // namespace
}  // namespace wse::wafer_control
