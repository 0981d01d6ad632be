// Threads in the planes of a block: those that begin alike in one cycle, and those that do not.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/vm/both_transports.h"

namespace wse::wafer_slots {
namespace {

using both_transports::Ended;
using both_transports::expect_same_ends;

// In one cycle of a block messages of seven lengths begin, then one that all send alike, then some
// of one PE alone; colours come again after others, and each PE takes from two.
TEST(WaferSlots, ThreadsBeginAlikeOrNot) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.const W = 64
.const H = 24
.const B = 30
.grid W, H
.colour red, blue
.program sender
  .i32 v[B] = 100 * x + i
  task main:
    mov32 fabout(red), v[0:3 + (x / 2 + y) % 7]
    mov32 fabout(blue), v
    mov32 fabout(red), v[0:(x == 6 && y == 5) ? 9 : 4]
.program receiver
  .i32 first[B]
  .i32 all[B] = 1
  .i32 last[B]
  task main:
    mov32 first[0:3 + (x / 2 + y) % 7], fabin(red)
    add32 all, all, fabin(blue)
    add32 last[0:(x == 7 && y == 5) ? 9 : 4], first[0:(x == 7 && y == 5) ? 9 : 4], fabin(red)
.place sender at (0..W - 1 step 2, 0..H - 1)
.place receiver at (1..W - 1 step 2, 0..H - 1)
.route red at (0..W - 1 step 2, 0..H - 1): ramp -> east
.route red at (1..W - 1 step 2, 0..H - 1): west -> ramp
.route blue at (0..W - 1 step 2, 0..H - 1): ramp -> east
.route blue at (1..W - 1 step 2, 0..H - 1): west -> ramp
)",
                                         profile);
    for (const auto& [x, y] : {std::pair{7u, 5u}, std::pair{63u, 23u}, std::pair{1u, 0u}}) {
      const std::uint32_t sent = 100 * (x - 1);
      const std::uint32_t length = 3 + (x / 2 + y) % 7;
      const std::uint32_t last = x == 7 ? 9 : 4;
      const std::vector<std::uint32_t> first = ended.words(x, y, "first");
      const std::vector<std::uint32_t> all = ended.words(x, y, "all");
      const std::vector<std::uint32_t> sum = ended.words(x, y, "last");
      for (std::uint32_t k = 0; k < 30; ++k) {
        EXPECT_EQ(first[k], k < length ? sent + k : 0);
        EXPECT_EQ(all[k], sent + k + 1);
        EXPECT_EQ(sum[k], k < last ? first[k] + sent + k : 0);
      }
    }
  }
}

// A gap lies between the scalars of a mapped instruction, in which a microthread may send; after
// the last one there is none, and the next instruction of the main thread issues at once.
TEST(WaferSlots, AGapLiesBetweenScalarsOnly) {
  for (const std::uint32_t gap_cycles : {1u, 5u}) {
    isa::Profile profile = *isa::find_profile("model");
    profile.map_gap_cycles = gap_cycles;
    const Ended ended = expect_same_ends(R"(
.grid 2, 1
.colour red
.program maps
  .f16 c[24] address=0 = i
  .f16 a[8] address=96 = i
  .f16 b[3] address=200 = i + 1
  .i32 v[40] = i
  .dsr into, column, row
  task main:
    setd into, save(c[0:8])
    setd column, a
    setd row, b
    mov32 fabout(red), v async 1
    map into, fmach, into, column, row
    mark mapped
    fmovh a, c[0:8]
.program takes
  .i32 w[40]
  task main:
    mov32 w, fabin(red)
.place maps at (0, 0)
.place takes at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                                         profile);
    EXPECT_EQ(ended.words(1, 0, "w")[39], 39u);
  }
}

// The elements of a packed word issue one after the other where strides slow them: a message of
// an odd number ends with half a word, and the next one on the same thread begins with a whole one.
TEST(WaferSlots, AHalfWordIsNotLeftToTheNextMessage) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.grid 2, 1
.colour red
.program sends
  .i16 v[72] = i
  task main:
    mov16 fabout(red, packed), v[0:56:8]
    mov16 fabout(red, packed), v[1:49:8]
.program takes
  .i16 w[72]
  task main:
    mov16 w[0:56:8], fabin(red, packed)
    mov16 w[1:49:8], fabin(red, packed)
.place sends at (0, 0)
.place takes at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                                         profile);
    EXPECT_EQ(ended.words(1, 0, "w")[48], 48u);
    EXPECT_EQ(ended.words(1, 0, "w")[41], 41u);
  }
}

// A receive of 1000 words rests until its last one, so the block says; but only 100 come, and then
// all wait for ever.
TEST(WaferSlots, ARestThatEndsTooEarlyIsNoWork) {
  const Ended ended = expect_same_ends(R"(
.grid 128, 8
.colour red
.program sender
  .i32 v[100] = i
  task main:
    mov32 fabout(red), v
.program receiver
  .i32 v[1000]
  task main:
    mov32 v, fabin(red)
.program still
  task main:
    halt
.place sender at (63, 3)
.place receiver at (64, 3)
.place still at (0, 0)
.place still at (127, 7)
.route red at (63, 3): ramp -> east
.route red at (64, 3): west -> ramp
)",
                                       "model", vm::RunStatus::Deadlock);
  EXPECT_LT(ended.record.cycles, 200u);
}

}  // namespace
}  // namespace wse::wafer_slots
