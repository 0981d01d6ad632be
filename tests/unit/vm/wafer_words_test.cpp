// Words of messages on the wafer: who may change them in their place, and for how long they stay.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/vm/both_transports.h"

namespace wse::wafer_words {
namespace {

using both_transports::Ended;
using both_transports::expect_same_ends;

// The relay forwards a whole message, which waits at the last PE too: there it is taken from the
// same multicast after what the relay made of it.
TEST(WaferWords, AMessageThatTwoTakeStaysAsItIs) {
  const Ended ended = expect_same_ends(R"(
.const B = 3
.grid 3, 1
.colour red, blue
.program from
  .i32 v[B] = i
  task main:
    mov32 fabout(red), v
.program relay
  .i32 v[B] = 1000
  task main:
    add32 fabout(blue), v, fabin(red)
.program last
  .i32 same[B]
  .i32 changed[B]
  task main:
    mov32 changed, fabin(blue)
    mov32 same, fabin(red)
.place from at (0, 0)
.place relay at (1, 0)
.place last at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp, east
.route red at (2, 0): west -> ramp
.route blue at (1, 0): ramp -> east
.route blue at (2, 0): west -> ramp
)");
  const std::vector<std::uint32_t> same = ended.words(2, 0, "same");
  const std::vector<std::uint32_t> changed = ended.words(2, 0, "changed");
  for (std::uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(same[k], k);
    EXPECT_EQ(changed[k], 1000 + k);
  }
}

// Where PEs begin to send is a matter of their row, so that a message has rows of some lanes only.
// Groups of four PEs lie over the borders of tiles, and each PE takes words of two messages.
TEST(WaferWords, RowsOfAMessageKeepApart) {
  const Ended ended = expect_same_ends(R"(
.const B = 3
.grid 128, 16
.colour east_going, south_going
.program pe
  .i32 v[B] = 10000 * x + 10 * y + i
  .i32 west[2 * B]
  .i32 north[2 * B]
  .reg left, column, row
  task main:
    mov32 left, y % 3 * 4 + x % 2
    mov32 column, x % 4
    mov32 row, y % 4
  wait:
    beq   left, 0, ready
    sub32 left, left, 1
    jmp   wait
  ready:
    beq   column, 2, send_east
    mov32 west, fabin(east_going)
    jmp   other
  send_east:
    mov32 fabout(east_going), v
    mov32 fabout(east_going), v
  other:
    beq   row, 2, send_south
    mov32 north, fabin(south_going)
    halt
  send_south:
    mov32 fabout(south_going), v
    mov32 fabout(south_going), v
    halt
.place pe at (2..125, 2..13)
.route east_going at (2..125 step 4, 2..13): ramp -> east
.route east_going at (3..125 step 4, 2..13): west -> east, ramp
.route east_going at (4..125 step 4, 2..13): west -> east, ramp
.route east_going at (5..125 step 4, 2..13): west -> ramp
.route south_going at (2..125, 2..13 step 4): ramp -> south
.route south_going at (2..125, 3..13 step 4): north -> south, ramp
.route south_going at (2..125, 4..13 step 4): north -> south, ramp
.route south_going at (2..125, 5..13 step 4): north -> ramp
)");
  for (std::uint32_t y = 2; y < 14; ++y) {
    for (std::uint32_t x = 2; x < 126; ++x) {
      const std::uint32_t from_x = x - (x + 2) % 4;
      const std::uint32_t from_y = y - (y + 2) % 4;
      for (std::uint32_t k = 0; k < 6; ++k) {
        const std::uint32_t west = from_x != x ? 10000 * from_x + 10 * y + k % 3 : 0;
        const std::uint32_t north = from_y != y ? 10000 * x + 10 * from_y + k % 3 : 0;
        ASSERT_EQ(ended.words(x, y, "west")[k], west);
        ASSERT_EQ(ended.words(x, y, "north")[k], north);
      }
    }
  }
}

// An advance of no words turns the switch in the middle of what comes from the west: the first word
// that goes another way begins a run there. Both receivers wait for the rest.
TEST(WaferWords, ASwitchMayTurnInTheMiddleOfAMessage) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.const B = 60
.grid 3, 1
.colour red
.program from
  .i32 v[B] = 7 * i
  .f32 other[60]
  task main:
    fmuls other, other, 0.5
    mov32 fabout(red), v
.program turns
  .i32 w[B]
  .i32 none[1]
  .f32 other[80]
  task main:
    mov32 w, fabin(red) async 1
    fmuls other, other, 0.5
    mov32 fabout(red, advance), none[0:0]
    wait  1
.program last
  .i32 w[B]
  task main:
    mov32 w, fabin(red)
.place from at (0, 0)
.place turns at (1, 0)
.place last at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): [west -> east] [west -> ramp]
.route red at (2, 0): west -> ramp
)",
                                         profile, vm::RunStatus::Deadlock);
    const std::vector<std::uint32_t> first = ended.words(2, 0, "w");
    const std::vector<std::uint32_t> rest = ended.words(1, 0, "w");
    std::uint32_t turn = 1;
    while (turn < 60 && first[turn] != 0) ++turn;
    EXPECT_LT(turn, 60u);
    for (std::uint32_t k = 0; k < turn; ++k) EXPECT_EQ(first[k], 7 * k);
    for (std::uint32_t k = turn; k < 60; ++k) EXPECT_EQ(rest[k - turn], 7 * k);
  }
}

}  // namespace
}  // namespace wse::wafer_words
