// Run lists of lanes that share runs and part again, against a list for each lane.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <vector>

#include "tests/support/random.h"
#include "tests/unit/vm/random_lanes.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {
namespace {

constexpr QueueShape kShape{.depth = 6, .latency = 1};

// A queue of wavelets that are messages of a word each, and what it must hold.
class Lists {
 public:
  // A word comes into each of the lanes: of one message, or each of its own.
  void put(const Lanes& lanes, bool alike) {
    if (alike) {
      const std::uint32_t message = messages.take(1, kNone, false);
      lists.append(queue, {lanes, {.message = message}});
      for_each_lane(lanes, [&](std::uint32_t lane) { plain[lane].push_back(message); });
      messages.release(message);
    } else {
      for_each_lane(lanes, [&](std::uint32_t lane) {
        const std::uint32_t message = messages.take(1, kNone, false);
        lists.append(queue, lane, {.message = message, .row = lane});
        plain[lane].push_back(message);
        messages.release(message);
      });
    }
    queue.update({}, lanes);
  }
  // The heads of the lanes leave: all that are alike at once, or one by one.
  void take(const Lanes& lanes, bool alike) {
    Lanes rest = lanes;
    while (rest.any()) {
      const std::uint32_t lane = first_of(rest);
      Lanes same;
      same.set(lane);
      if (alike) same = lists.alike(queue, lane, rest);
      ASSERT_TRUE(same.has(lane));
      ASSERT_FALSE(without(same, rest).any());
      const std::uint32_t message = lists.find(queue, same).wavelet.message;
      for_each_lane(same, [&](std::uint32_t one) {
        ASSERT_EQ(plain[one].front(), message);
        plain[one].pop_front();
      });
      alike ? lists.drop(queue, same) : lists.drop(queue, lane);
      rest.remove(same);
    }
    queue.update(lanes, {});
  }
  void expect_words() const {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      for (std::uint32_t k = 0; k < plain[lane].size(); ++k) {
        const Standing word = lists.look(queue, lane, queue.popped(lane) + k);
        ASSERT_EQ(word.message, plain[lane][k]);
        ASSERT_EQ(word.row, lane);
      }
    }
  }
  Lanes with_room() const { return inverse(queue.totals()[kShape.depth - 1]); }

  std::vector<Lanes> planes = std::vector<Lanes>(PlaneQueue::planes_of(kShape));
  std::vector<RunList> run_lists = std::vector<RunList>(kLanes);
  PlaneQueue queue{kShape, planes.data(), run_lists.data()};
  Messages messages;
  RunLists lists{messages};
  std::array<std::deque<std::uint32_t>, kLanes> plain;
};

Lanes lanes_of(std::initializer_list<std::uint32_t> some) {
  Lanes lanes;
  for (const std::uint32_t lane : some) lanes.set(lane);
  return lanes;
}

TEST(WaferRunLists, LanesThatPartKeepTheirOwn) {
  Lists lists;
  const Lanes both = lanes_of({3, 300});
  const Lanes one = lanes_of({300});
  lists.put(both, true);
  EXPECT_EQ(lists.lists.first(lists.queue, 3).lists, 2u);
  lists.put(one, false);
  EXPECT_EQ(lists.lists.first(lists.queue, 3).lists, 1u);
  lists.put(both, true);
  lists.expect_words();
  lists.take(one, true);
  lists.take(both, true);
  lists.expect_words();
}

TEST(WaferRunLists, LanesAtOtherWordsAreNotAlike) {
  Lists lists;
  const Lanes both = lanes_of({3, 300});
  const Lanes one = lanes_of({300});
  const std::uint32_t message = lists.messages.take(2, kNone, false);
  lists.lists.append(lists.queue, {both, {.message = message}});
  for (std::uint32_t word = 0; word < 2; ++word) lists.queue.update({}, both);
  EXPECT_EQ(lists.lists.alike(lists.queue, 3, both).count(), 2u);
  lists.queue.update(one, {});
  EXPECT_EQ(lists.lists.alike(lists.queue, 3, both).count(), 1u);
  EXPECT_EQ(lists.lists.find(lists.queue, one).wavelet.word, 1u);
}

TEST(WaferRunLists, AreThoseOfEachLane) {
  test_support::Random random(3);
  Lists lists;
  for (std::uint32_t round = 0; round < 3000; ++round) {
    const std::uint32_t of = round % 5 + 1;
    const bool alike = !random.one_in(4);
    if (random.one_in(2)) {
      const Lanes lanes = random_lanes(random, of) & lists.with_room();
      if (lanes.any()) lists.put(lanes, alike);
    } else {
      lists.take(random_lanes(random, of) & lists.queue.heads(), alike);
    }
    if (round % 16 == 0) lists.expect_words();
  }
  while (lists.queue.heads().any()) lists.take(lists.queue.heads(), true);
  for (std::uint32_t message = 0; message < lists.messages.size(); ++message) {
    ASSERT_FALSE(lists.messages.is_held(message));
  }
  for (const RunList& list : lists.run_lists) ASSERT_EQ(list.first, kNone);
}

// A run keeps the low 32 bits of its end.
TEST(WaferRuns, EndWhereTheNextOneBeginsHoweverFarThatIs) {
  using Numbers = std::initializer_list<std::uint64_t>;
  for (const std::uint64_t number : Numbers{0, 5, 0xffff'fff0, 0x1'0000'0000, 0x3'0000'0001}) {
    for (const std::uint64_t length :
         Numbers{1, 0x20, 0xffff'fffe, 0xffff'ffff, 0x1'0000'0000, 0x12'3456'789a}) {
      Runs runs;
      const std::uint32_t first = runs.take({.number = number});
      EXPECT_EQ(runs.end_of(runs[first]), Runs::kNoEnd);
      runs.follow(first, runs.take({.number = number + length}));
      EXPECT_EQ(runs.end_of(runs[first]), number + length);
    }
  }
}

}  // namespace
}  // namespace wse::vm::wafer
