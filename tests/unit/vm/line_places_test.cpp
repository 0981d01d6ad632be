// Places of a main thread: whatever fits into few bytes comes out as it went in.
#include "vm/ledger/line_places.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace {

using wse::vm::Cycle;
using wse::vm::kNever;
using wse::vm::LinePhase;
using wse::vm::LinePlace;
using wse::vm::LinePlaces;

LinePlace place(Cycle from, std::uint32_t row, LinePhase phase, std::uint32_t stalls = 0) {
  return {from, LinePlace::what_of(row, phase), stalls};
}

void expect_equal(const LinePlaces& places, const std::deque<LinePlace>& wanted) {
  LinePlaces rest = places;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const LinePlace found = rest.first();
    EXPECT_EQ(found.from, wanted[k].from);
    EXPECT_EQ(found.what, wanted[k].what);
    EXPECT_EQ(found.stalls, wanted[k].stalls);
    const bool is_last = k + 1 == wanted.size();
    EXPECT_EQ(rest.has_one(), is_last);
    EXPECT_EQ(rest.first_ends(), is_last ? kNever : wanted[k + 1].from);
    if (!is_last) rest.drop_first();
  }
  EXPECT_EQ(places.last().from, wanted.back().from);
  EXPECT_EQ(places.last().what, wanted.back().what);
}

TEST(LinePlaces, HoldTheVectorsOfAStretch) {
  LinePlaces places;
  places.begin_with(place(100, 1, LinePhase::Scalar));
  Cycle cycle = 100;
  for (std::uint32_t row = 2; row < 14; ++row) {  // each is an entry, with three places
    EXPECT_TRUE(places.add(place(cycle += 3, row, LinePhase::Scalar)));
    EXPECT_TRUE(places.add(place(cycle += 1, row, LinePhase::SetUp)));
    EXPECT_TRUE(places.add(place(cycle += 15, row, LinePhase::Vector)));
    places.set_stalls(row * 100'000);
  }
  EXPECT_FALSE(places.add(place(cycle + 1, 99, LinePhase::Scalar)));
  EXPECT_EQ(places.last().stalls, 1'300'000u);
}

TEST(LinePlaces, KeepWhatIsFarAwayOut) {
  LinePlaces places;
  places.begin_with(place(5, 1, LinePhase::Scalar));
  EXPECT_TRUE(places.add(place(Cycle{5} + 0xffff'ffffu, 2, LinePhase::Scalar)));
  EXPECT_FALSE(places.add(place(Cycle{6} + 0xffff'ffffu, 3, LinePhase::Scalar)));
  places.drop_last();
  places.is_charged_up_to(Cycle{1} << 40);
  EXPECT_TRUE(places.add(place((Cycle{1} << 40) + 7, 2, LinePhase::Scalar)));
}

TEST(LinePlaces, AreAsAListWouldBe) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    LinePlaces places;
    std::deque<LinePlace> wanted{place(random() % 50, 0, LinePhase::NoTask)};
    places.begin_with(wanted.front());
    for (int step = 0; step < 40; ++step) {
      const auto kind = random() % 8;
      if (kind < 5) {
        const auto row = static_cast<std::uint32_t>(random() % 3);
        const auto phase = static_cast<LinePhase>(random() % 5);
        const auto stalls = static_cast<std::uint32_t>(random() % 4 == 0 ? random() : 0);
        const LinePlace next = place(wanted.back().from + 1 + random() % 20, row, phase, stalls);
        if (places.add(next)) wanted.push_back(next);
      } else if (kind == 5 && wanted.size() > 1) {
        places.drop_last();
        wanted.pop_back();
      } else if (wanted.size() > 1) {
        places.drop_first();
        wanted.pop_front();
      }
      expect_equal(places, wanted);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
