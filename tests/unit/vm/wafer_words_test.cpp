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
