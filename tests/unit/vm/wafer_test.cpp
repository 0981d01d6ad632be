// The parts of the wafer transport by themselves: what planes count, and what a lane sees of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "tests/support/random.h"
#include "tests/unit/vm/random_lanes.h"
#include "vm/planes/bits/due_list.h"
#include "vm/planes/bits/filter_planes.h"
#include "vm/planes/bits/lane_counters.h"
#include "vm/planes/bits/link_tally.h"
#include "vm/planes/bits/plane_queue.h"
#include "vm/planes/bits/wire.h"
#include "vm/planes/messages/messages.h"
#include "vm/stepper/filter_state.h"

namespace wse::vm::wafer {
namespace {

TEST(WaferLanes, AreVisitedInOrder) {
  Lanes lanes;
  for (const std::uint32_t lane : {511u, 0u, 63u, 64u}) lanes.set(lane);
  std::vector<std::uint32_t> seen;
  for_each_lane(lanes, [&](std::uint32_t lane) { seen.push_back(lane); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 63, 64, 511}));
  lanes.clear(63);
  EXPECT_FALSE(lanes.has(63));
  EXPECT_TRUE(lanes.any());
  EXPECT_FALSE(without(lanes, lanes).any());
}

TEST(WaferWire, ShowsEveryLaneItsNeighbour) {
  constexpr std::uint32_t kBlocks = 3;
  test_support::Random random(1);
  for (const std::int64_t by : {-1, 1, -63, 64, -64, 65, -512, 512, -755, 755}) {
    Wire wire(kBlocks * kWords, 755 / kWordBits + 2);
    std::vector<bool> bits;
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      const Lanes lanes = random_lanes(random, 2);
      write_wire(wire.at(block * kWords), lanes);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) bits.push_back(lanes.has(lane));
    }
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      const Lanes read = read_wire(wire.at(block * kWords), Shift::by(by));
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::int64_t from = std::int64_t{block} * kLanes + lane + by;
        const bool inside = from >= 0 && from < std::ssize(bits);
        EXPECT_EQ(read.has(lane), inside && bits[static_cast<std::size_t>(from)]) << by;
      }
    }
  }
}

TEST(WaferCounters, CountUpAsNumbersDo) {
  test_support::Random random(2);
  UpCounter counter;
  std::vector<std::uint64_t> expected(kLanes);
  for (std::uint32_t step = 0; step < 1500; ++step) {  // the low planes overflow some times
    Lanes lanes = random_lanes(random, step % 3 + 1);
    lanes.set(77);  // one lane fills them as fast as can be
    counter.add(lanes);
    for_each_lane(lanes, [&](std::uint32_t lane) { ++expected[lane]; });
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(counter.value(lane), expected[lane]);
  }
}

// The tally has rows of four lanes each, or a row for each lane, and lacks the last lanes.
TEST(WaferCounters, TellATallyWhatTheyCount) {
  const auto mesh = isa::Topology::mesh(64, 64);
  constexpr std::uint32_t kTold = kLanes - 12;
  for (const std::uint32_t wide : {4u, 1u}) {
    test_support::Random random(5);
    LinkSums sums(mesh);
    std::vector<LinkTally::Run> runs;
    const std::uint32_t lanes_of_run = wide == 1 ? kTold : wide;
    for (std::uint32_t lane = 0; lane < kTold; lane += lanes_of_run) {
      runs.push_back({static_cast<std::uint16_t>(lane),
                      static_cast<std::uint16_t>(lane + lanes_of_run), lane / wide});
    }
    LinkTally tally(runs, wide == 1, sums);
    UpCounter counter;
    counter.keep(tally);
    std::vector<std::uint64_t> expected(kLanes);
    const auto count = [&](const Lanes& lanes, std::uint64_t times) {
      for_each_lane(lanes, [&](std::uint32_t lane) { expected[lane] += times; });
    };
    for (std::uint32_t step = 0; step < 1500; ++step) {
      const Lanes lanes = step % 7 == 0 ? inverse(Lanes{}) : random_lanes(random, step % 3 + 1);
      const std::uint64_t times = step % 5 == 0 ? 1 + random.below(1'000'000) : 1;
      times == 1 ? counter.add(lanes) : counter.add(lanes, times);
      count(lanes, times);
      if (step % 11 != 0) continue;
      counter.tell();
      std::vector<std::uint64_t> wanted(sums.rows().size());
      for (std::uint32_t lane = 0; lane < kTold; ++lane) wanted[lane / wide] += expected[lane];
      ASSERT_EQ(sums.rows(), wanted) << step;
      ASSERT_TRUE(std::ranges::equal(counter.values(), expected)) << step;
    }
    counter.add(random_lanes(random, 1));
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      ASSERT_EQ(counter.values()[lane], counter.value(lane));
    }
  }
}

TEST(WaferCounters, CountDownToTheLastStepOfEach) {
  test_support::Random random(3);
  DownCounter counter;
  std::vector<std::uint64_t> left(kLanes);
  Lanes counting;
  for (std::uint32_t step = 0; step < 3000; ++step) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (counting.has(lane) || !random.one_in(50)) continue;
      left[lane] = 1 + random.below(random.one_in(4) ? 700 : 5);
      counter.begin(lane, left[lane]);
      counting.set(lane);
    }
    const Lanes lanes = counting & random_lanes(random, 2);
    const Lanes ended = counter.step(lanes);
    for_each_lane(lanes,
                  [&](std::uint32_t lane) { EXPECT_EQ(ended.has(lane), --left[lane] == 0); });
    EXPECT_FALSE(without(ended, lanes).any());
    counting.remove(ended);
    for_each_lane(counting, [&](std::uint32_t lane) { EXPECT_EQ(counter.left(lane), left[lane]); });
  }
}

TEST(WaferCounters, CountManyStepsAtOnce) {
  test_support::Random random(4);
  UpCounter up;
  DownCounter down;
  std::vector<std::uint64_t> came(kLanes);
  std::vector<std::uint64_t> left(kLanes);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    left[lane] = 400'000 + random.below(1000);
    down.begin(lane, left[lane]);
  }
  for (std::uint32_t round = 0; round < 40; ++round) {
    const Lanes lanes = random_lanes(random, round % 3 + 1);
    const std::uint64_t steps = random.one_in(2) ? random.below(30) : random.below(9000);
    up.add(lanes, steps);
    down.step(lanes, steps);
    up.add(lanes);
    EXPECT_FALSE(down.step(lanes).any());
    std::uint64_t least = DownCounter::kEndless;
    for_each_lane(lanes, [&](std::uint32_t lane) {
      came[lane] += steps + 1;
      left[lane] -= steps + 1;
      least = std::min(least, left[lane]);
    });
    EXPECT_EQ(down.least(lanes), least);
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(up.value(lane), came[lane]);
    EXPECT_EQ(down.left(lane), left[lane]);
  }
}

TEST(WaferCounters, HaveThreadsThatNeverEnd) {
  DownCounter counter;
  counter.begin(7, DownCounter::kEndless);
  Lanes lane;
  lane.set(7);
  for (std::uint32_t step = 0; step < 1000; ++step) EXPECT_FALSE(counter.step(lane).any());
  EXPECT_EQ(counter.left(7), DownCounter::kEndless - 1000);
}

// A queue of one lane as it is defined.
struct PlainQueue {
  struct Wavelet {
    std::uint32_t age = 0;  // cycles since it was pushed
    bool marked = false;
  };
  std::deque<Wavelet> wavelets;
  std::uint64_t popped = 0;
};

// With the planes and run lists that a table gives it.
struct Owned {
  explicit Owned(const QueueShape& shape)
      : planes(PlaneQueue::planes_of(shape)),
        run_lists(kLanes),
        queue(shape, planes.data(), run_lists.data()) {}

  std::vector<Lanes> planes;
  std::vector<RunList> run_lists;
  PlaneQueue queue;
};

void expect_same(const PlaneQueue& queue, const std::vector<PlainQueue>& plain,
                 const QueueShape& shape) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto& wavelets = plain[lane].wavelets;
    EXPECT_EQ(queue.size(lane), wavelets.size());
    EXPECT_EQ(queue.popped(lane), plain[lane].popped);
    EXPECT_EQ(queue.full().has(lane), wavelets.size() == shape.depth);
    const bool visible = !wavelets.empty() && wavelets.front().age >= shape.latency;
    EXPECT_EQ(queue.heads().has(lane), visible);
    if (wavelets.empty()) continue;
    EXPECT_EQ(queue.flags().head_has(LinkFlag::Marked, lane), wavelets.front().marked);
  }
}

TEST(WaferQueue, HoldsWhatQueuesHold) {
  for (const QueueShape shape : {QueueShape{1, 1}, {2, 1}, {2, 4}, {4, 3}, {10, 9}, {16, 2}}) {
    test_support::Random random(shape.depth * 31 + shape.latency);
    Owned owned(shape);
    PlaneQueue& queue = owned.queue;
    std::vector<PlainQueue> plain(kLanes);
    bool flew = false;  // something was on its way
    for (std::uint32_t cycle = 0; cycle < 400; ++cycle) {
      // At last one lane alone: what moves there moves in no other.
      Lanes used;
      cycle < 300 ? void(used = inverse({})) : used.set(77);
      const Lanes pop = queue.heads() & used & random_lanes(random, cycle / 50 % 3 + 1);
      const Lanes push = without(used & random_lanes(random, 2), queue.full());
      const Lanes marked = push & random_lanes(random, 5);
      queue.update(pop, push);
      queue.flag_last(LinkFlag::Marked, marked);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        PlainQueue& one = plain[lane];
        if (pop.has(lane)) {
          one.wavelets.pop_front();
          ++one.popped;
        }
        if (push.has(lane)) one.wavelets.push_back({0, marked.has(lane)});
        for (auto& wavelet : one.wavelets) ++wavelet.age;
      }
      expect_same(queue, plain, shape);
      for (const Lanes& lanes : queue.stages()) flew |= lanes.any();
    }
    EXPECT_TRUE(shape.latency == 1 || flew);
  }
}

TEST(WaferQueue, FlagsTheNextThatComes) {
  for (const LinkFlag flag : {LinkFlag::Marked, LinkFlag::Hidden, LinkFlag::Command}) {
    Owned owned({4, 1});
    PlaneQueue& queue = owned.queue;
    Lanes lane;
    lane.set(100);
    queue.update({}, lane);
    queue.flags().arm(flag, 100);
    queue.update({}, {});  // nothing comes
    EXPECT_TRUE(queue.differs_after(lane, lane).has(100));
    queue.update({}, lane);
    queue.update({}, lane);
    EXPECT_FALSE(queue.flags().head_has(flag, 100));
    queue.update(lane, {});
    EXPECT_TRUE(queue.flags().head_has(flag, 100));
    for (const LinkFlag other : {LinkFlag::Marked, LinkFlag::Hidden, LinkFlag::Command}) {
      EXPECT_TRUE(other == flag || !queue.flags().head_has(other, 100));
    }
    queue.update(lane, {});
    EXPECT_FALSE(queue.flags().head_has(flag, 100));
  }
}

TEST(WaferQueue, MarksTheHeadOrWhoComesFirst) {
  Owned owned({2, 1});
  PlaneQueue& queue = owned.queue;
  Lanes lane;
  lane.set(1);
  queue.force(1, false);
  queue.update({}, lane);
  EXPECT_TRUE(queue.flags().head_has(LinkFlag::Marked, 1));
  EXPECT_TRUE(queue.take_forced(1));
  EXPECT_FALSE(queue.take_forced(1));
  queue.update(lane, lane);
  EXPECT_FALSE(queue.flags().head_has(LinkFlag::Marked, 1));
  queue.force(1, false);
  EXPECT_TRUE(queue.flags().head_has(LinkFlag::Marked, 1));
}

TEST(WaferQueue, MarksWhoComesAfterTheHeadThatLeaves) {
  Owned owned({2, 1});
  PlaneQueue& queue = owned.queue;
  Lanes lane;
  lane.set(1);
  queue.update({}, lane);
  queue.force(1, true);
  queue.update(lane, lane);
  EXPECT_TRUE(queue.flags().head_has(LinkFlag::Marked, 1));
  queue.update({}, lane);
  EXPECT_TRUE(queue.take_forced(1));
  queue.force(1, true);
  queue.update(lane, {});
  EXPECT_TRUE(queue.flags().head_has(LinkFlag::Marked, 1));
}

TEST(WaferFilter, DropsWhatTheStepperDrops) {
  test_support::Random random(5);
  for (std::uint32_t k = 0; k < 2000; ++k) {
    FilterSetting setting;
    setting.shape.kind = random.one_in(2) ? isa::FilterKind::Counter : isa::FilterKind::Sparse;
    for (std::uint32_t& value : setting.values) value = random.below(6);
    FilterState plain(setting);
    FilterPlanes planes;
    planes.open(9, setting);
    Lanes lane;
    lane.set(9);
    for (std::uint32_t word = 0; word < 50; ++word) {
      EXPECT_EQ(planes.dropping.has(9), !plain.passes({}));
      plain.count({});
      if (planes.left.step(lane).any()) planes.turn(9);
    }
  }
}

TEST(WaferFilter, DropsNothingOnceItIsTakenOff) {
  FilterSetting setting;
  setting.shape.kind = isa::FilterKind::Counter;
  setting.values = {0, 4, 1};  // drops until its counter is 0 again
  FilterPlanes planes;
  planes.open(9, setting);
  EXPECT_TRUE(planes.dropping.has(9));
  planes.open(9, {});
  EXPECT_FALSE(planes.dropping.has(9));
  EXPECT_FALSE(planes.filtered.has(9));
}

TEST(WaferQueue, KeepsItsRoomForTheCycleInWhichATaskTakesTheHead) {
  Owned owned({1, 1});
  PlaneQueue& queue = owned.queue;
  Lanes lane;
  lane.set(5);
  queue.update({}, lane);
  queue.pop_now(5);
  EXPECT_EQ(queue.size(5), 0u);
  EXPECT_TRUE(queue.full().has(5));
  queue.update({}, {});
  EXPECT_FALSE(queue.full().has(5));
}

TEST(WaferMessages, GiveTheirPlaceToTheNextWhenNobodyHoldsThem) {
  Messages messages;
  const std::uint32_t first = messages.take(8, 0, false);
  messages.hold(first);
  messages.release(first);
  EXPECT_NE(messages.take(4, 1, true), first);
  messages.release(first);
  const std::uint32_t third = messages.take(2, 2, false);
  EXPECT_EQ(third, first);
  EXPECT_EQ(messages[third].length, 2u);
  EXPECT_EQ(messages[third].made, 0u);
}

TEST(WaferMessages, HaveARowForEachSender) {
  Messages messages;
  const MessageRows::Lanes lanes = {0b1011, 0, std::uint64_t{1} << 63, 0, 0, 0, 0, 1};
  const std::uint32_t message =
      messages.take_rows(3, std::make_unique<MessageRows>(7, 2, lanes), false);
  messages.reserve(message, 1);
  const Message& rows = messages[message];
  EXPECT_EQ(messages.holders(message), 5u);
  EXPECT_GE(rows.words.size, 15u);
  std::uint32_t row = 0;
  for (const std::uint32_t lane : {0u, 1u, 3u, 191u, 448u}) {
    EXPECT_EQ(rows.words_of(lane), rows.words.begin.get() + 3 * row++);
    EXPECT_EQ(rows.made_of(lane), 0u);
    messages[message].rows->set_made(lane);
    EXPECT_EQ(rows.made_of(lane), 3u);
  }
  for (std::uint32_t k = 0; k < 5; ++k) messages.release(message);
  EXPECT_FALSE(messages.is_held(message));
  EXPECT_EQ(messages[messages.take(1, 0, false)].rows, nullptr);
}

TEST(WaferDueList, TellsWhatIsDueNearAndFar) {
  DueList list;
  list.add(1, 5);
  list.add(2, 5000);
  list.add(3, 5);
  EXPECT_EQ(list.next(), 5u);
  using Due = std::vector<std::uint32_t>;
  const auto take = [&list](Cycle now) {
    const std::span<const std::uint32_t> due = list.take(now);
    return Due(due.begin(), due.end());
  };
  EXPECT_EQ(take(5), (Due{1, 3}));
  EXPECT_EQ(list.next(), 5000u);
  list.add(4, 60);
  EXPECT_EQ(list.next(), 60u);
  EXPECT_EQ(take(60), Due{4});
  EXPECT_EQ(take(61), Due{});
  EXPECT_EQ(take(5000), Due{2});
  EXPECT_EQ(list.next(), kNever);
}

}  // namespace
}  // namespace wse::vm::wafer
