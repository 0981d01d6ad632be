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
using wse::vm::TagBits;

const TagBits kBits(100);  // 2^15 - 1 stalls

LinePlace place(Cycle from, std::uint32_t row, LinePhase phase, std::uint32_t stalls = 0) {
  return {from, kBits.tag(row, stalls), phase};
}

void expect_equal(const LinePlaces& places, const std::deque<LinePlace>& wanted) {
  LinePlaces rest = places;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const LinePlace found = rest.first(kBits.row_mask());
    EXPECT_EQ(found.from, wanted[k].from);
    EXPECT_EQ(found.tag, wanted[k].tag);
    EXPECT_EQ(found.phase, wanted[k].phase);
    const bool is_last = k + 1 == wanted.size();
    EXPECT_EQ(rest.has_one(), is_last);
    EXPECT_EQ(rest.first_ends(), is_last ? kNever : wanted[k + 1].from);
    if (!is_last) rest.drop_first();
  }
  EXPECT_EQ(places.last().from, wanted.back().from);
  EXPECT_EQ(places.last().tag, wanted.back().tag);
}

TEST(LinePlaces, TagsHaveRowsAndStalls) {
  for (const std::uint32_t rows : {1u, 2u, 100u, 128u, 129u, 4096u, TagBits::kMostRows}) {
    const TagBits bits(rows);
    EXPECT_GE(bits.many(), 1u);
    for (const std::uint32_t row : {0u, rows / 2, rows - 1}) {
      for (const std::uint32_t stalls : {0u, bits.many() / 2, bits.many()}) {
        EXPECT_LT(bits.tag(row, stalls), 1u << TagBits::kBits);
        EXPECT_EQ(bits.row(bits.tag(row, stalls)), row);
        EXPECT_EQ(bits.stalls(bits.tag(row, stalls)), stalls);
      }
    }
  }
}

TEST(LinePlaces, HoldTheVectorsOfAStretch) {
  LinePlaces places;
  places.begin_with(place(100, 1, LinePhase::Scalar));
  Cycle cycle = 100;
  for (std::uint32_t row = 2; row < 12; ++row) {  // each is an entry, with three places
    EXPECT_TRUE(places.add(place(cycle += 3, row, LinePhase::Scalar)));
    EXPECT_TRUE(places.add(place(cycle += 1, row, LinePhase::SetUp)));
    EXPECT_TRUE(places.add(place(cycle += 15, row, LinePhase::Vector)));
    places.set_last_tag(kBits.tag(row, row * 1000));
  }
  EXPECT_FALSE(places.add(place(cycle + 1, 99, LinePhase::Scalar)));
  EXPECT_EQ(kBits.stalls(places.last().tag), 11'000u);
  places.drop_first();
  EXPECT_TRUE(places.add(place(cycle + 1, 99, LinePhase::Scalar)));  // the others moved
  EXPECT_EQ(places.first(kBits.row_mask()).tag, 2u);
}

TEST(LinePlaces, KeepWhatIsFarAwayOut) {
  LinePlaces places;
  places.begin_with(place(5, 1, LinePhase::Scalar));
  EXPECT_TRUE(places.add(place(Cycle{5} + 0xffffu, 2, LinePhase::Scalar)));
  EXPECT_FALSE(places.add(place(Cycle{6} + 0xffffu, 3, LinePhase::Scalar)));
  places.drop_last(kBits.row_mask());
  places.is_charged_up_to(Cycle{1} << 40, kBits.row_mask());
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
        const auto stalls = static_cast<std::uint32_t>(random() % 4 == 0 ? random() % 1000 : 0);
        const LinePlace next = place(wanted.back().from + 1 + random() % 20, row, phase, stalls);
        if (places.add(next)) wanted.push_back(next);
      } else if (kind == 5 && wanted.size() > 1) {
        places.drop_last(kBits.row_mask());
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
