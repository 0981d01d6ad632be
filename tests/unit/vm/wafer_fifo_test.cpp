// FIFOs of a PE on the wafer: planes of levels as numbers would be, and instructions that wait or
// end early as on the stepper.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/simulation.h"
#include "tests/unit/vm/both_transports.h"
#include "vm/planes/bits/fifo_planes.h"

namespace wse::wafer_fifo {
namespace {

using both_transports::Ended;
using both_transports::expect_same_ends;

// Levels of 512 FIFOs, or of the three of which no other is full or empty first, so that cycles
// repeat.
void expect_levels(bool few, vm::wafer::FifoPlanes& planes) {
  using namespace vm::wafer;
  test_support::Random random(1);
  std::vector<std::uint32_t> capacity(kLanes);
  std::vector<std::uint32_t> level(kLanes);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    capacity[lane] = few ? 300 + random.below(400) : 1 + random.below(random.one_in(4) ? 700 : 5);
    planes.open(lane, capacity[lane]);
  }
  std::uint32_t repeated = 0;
  for (std::uint32_t cycle = 0; cycle < 1500; ++cycle) {
    Lanes pushed;
    Lanes popped;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      ASSERT_EQ(planes.empty().has(lane), level[lane] == 0);
      ASSERT_EQ(planes.full().has(lane), level[lane] == capacity[lane]);
      if (few && lane % 170 != 3) continue;
      const std::uint32_t phase = (cycle / 200 + lane) % 3;
      pushed.put(lane, level[lane] < capacity[lane] && phase != 1 && !random.one_in(4));
      popped.put(lane, level[lane] > 0 && phase != 0 && !random.one_in(4));
    }
    const bool repeats = random.one_in(6);
    planes.begin_cycle();
    planes.push(pushed);
    planes.pop(popped);
    planes.update();
    std::uint64_t left = DownCounter::kEndless;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      ASSERT_EQ(planes.left_empty().has(lane), pushed.has(lane) && level[lane] == 0);
      ASSERT_EQ(planes.left_full().has(lane), popped.has(lane) && level[lane] == capacity[lane]);
      level[lane] += pushed.has(lane) ? 1 : 0;
      level[lane] -= popped.has(lane) ? 1 : 0;
      if (pushed.has(lane) == popped.has(lane)) continue;
      left = std::min<std::uint64_t>(left,
                                     pushed.has(lane) ? capacity[lane] - level[lane] : level[lane]);
    }
    ASSERT_EQ(planes.steps_left(), left);
    if (!repeats || left < 2 || left == DownCounter::kEndless) continue;
    ++repeated;
    const auto more = 1 + random.below(static_cast<std::uint32_t>(left - 1));
    planes.repeat(more);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      level[lane] += pushed.has(lane) ? more : 0;
      level[lane] -= popped.has(lane) ? more : 0;
    }
  }
  EXPECT_TRUE(!few || repeated > 50) << repeated;
}

TEST(WaferFifo, LevelsAreWhatNumbersWouldBe) {
  for (const bool few : {false, true}) {
    vm::wafer::FifoPlanes planes;
    expect_levels(few, planes);
  }
}

TEST(WaferFifo, StaysAsItIsWhereAsMuchComesAsGoes) {
  using namespace vm::wafer;
  FifoPlanes planes;
  planes.open(7, 3);
  Lanes lane;
  lane.set(7);
  planes.begin_cycle();
  planes.push(lane);
  EXPECT_TRUE(planes.update());
  planes.begin_cycle();
  planes.push(lane);
  planes.pop(lane);
  EXPECT_FALSE(planes.update());
  EXPECT_EQ(planes.steps_left(), DownCounter::kEndless);
  planes.repeat(1'000'000);
  EXPECT_FALSE(planes.empty().has(7));
  EXPECT_FALSE(planes.full().has(7));
}

TEST(WaferFifo, EndsEarlyAndTellsHowMuchIsLeft) {
  for (const char* profile : {"model", "wse2"}) {
    const Ended ended = expect_same_ends(R"(
.grid 3, 1
.program one
  .i32 v[9] = 20 + i
  .i32 store[4]
  .fifo q = store on_leaving_full=full on_leaving_empty=empty
  .i32 left[5]
  .i32 w[9]
  .reg a, b
  task main:
    mov32 q, v[0:x + 2]
    getleft a
    mov32 left[0], a
    mov32 q, v[3:7]
    getleft a
    mov32 left[1], a
    mov32 w, q
    getleft a
    mov32 left[2], a
    mov32 b, 0
    add32 b, b, q
    mov32 left[3], b
    activate over
  task full:
    mark full
  task empty:
    mark empty
  task over:
    halt
.place one at (0..2, 0)
)",
                                         profile);
    EXPECT_EQ(ended.words(0, 0, "left"), (std::vector<std::uint32_t>{0, 2, 5, 0, 0}));
    EXPECT_EQ(ended.words(1, 0, "left"), (std::vector<std::uint32_t>{0, 3, 5, 0, 0}));
    EXPECT_EQ(ended.words(2, 0, "left"), (std::vector<std::uint32_t>{0, 4, 5, 0, 0}));
    EXPECT_EQ(ended.record.marks.at("full").count, 3u);
    EXPECT_EQ(ended.record.marks.at("empty").count, 3u);
  }
}

// What one instruction takes it puts back: each of its elements needs those before.
TEST(WaferFifo, IsTurnedByOneInstruction) {
  const Ended ended = expect_same_ends(R"(
.grid 1, 1
.program one
  .i32 v[12] = i
  .i32 w[4]
  .i32 store[4]
  .fifo q = store
  task main:
    mov32 q, v[0:3]
    add32 q, q, v[0:11]
    mov32 w, q
.place one at (0, 0)
)");
  // 0 1 2, to which 0 .. 10 are added in turn: 0 + 3 + 6 + 9, 1 + 4 + 7 + 10 and 2 + 5 + 8 more.
  EXPECT_EQ(ended.words(0, 0, "w"), (std::vector<std::uint32_t>{17, 18, 23, 0}));
}

// What a message says of a FIFO that is full, empty, or refused words.
TEST(WaferFifo, ExplainsWhatWaits) {
  const Ended ended = expect_same_ends(R"(
.grid 2, 1
.colour red
.program from
  .i32 v[9] = i
  .i32 store[4]
  .i32 other[4]
  .fifo q = store
  .fifo p = other
  task main:
    mov32 q, v                            ; five find no place
    mov32 q, v async 0
    mov32 fabout(red, length=3), p async 1
    wait  0
.program to
  .i32 w[3]
  task main:
    mov32 w, fabin(red)
.place from at (0, 0)
.place to at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                                       "model", vm::RunStatus::Deadlock);
  EXPECT_TRUE(ended.record.message.contains("FIFO q is full")) << ended.record.message;
  EXPECT_TRUE(ended.record.message.contains("FIFO p is empty")) << ended.record.message;
}

TEST(WaferFifo, ProgramsThatUseThem) {
  expect_same_ends(test_support::program_text("pipeline-fifo"));
}

}  // namespace
}  // namespace wse::wafer_fifo
