// Stalls that are known ahead: packed into few bytes, they are those that were told.
#include "vm/ledger/pending_stalls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace {

using wse::vm::Cycle;
using wse::vm::PeId;
using wse::vm::PendingStalls;
using wse::vm::StallSpan;

using Told = std::tuple<PeId, Cycle, std::uint64_t, Cycle>;

Told told(PeId pe, const StallSpan& span) { return {pe, span.from, span.count, span.finish}; }

std::vector<Told> standing(const PendingStalls& stalls) {
  std::vector<Told> all;
  stalls.for_each_standing([&](PeId pe, const StallSpan& span) { all.push_back(told(pe, span)); });
  return all;
}

TEST(PendingStalls, ForgetsWhatWasToldBefore) {
  PendingStalls stalls;
  stalls.add(1, {10, 2, 20});
  stalls.add(1, {30, 2, 40});
  stalls.add(2, {30, 2, 40});
  stalls.forget(1, 30);
  stalls.add(1, {32, 3, 44});
  const std::vector<Told> wanted = {{1, 10, 2, 20}, {2, 30, 2, 40}, {1, 32, 3, 44}};
  EXPECT_EQ(standing(stalls), wanted);
  std::vector<Told> taken;
  const auto take = [&](PeId pe, const StallSpan& span) { taken.push_back(told(pe, span)); };
  stalls.take_finished(41, take);
  EXPECT_EQ(taken, (std::vector<Told>{{1, 10, 2, 20}, {2, 30, 2, 40}}));
  EXPECT_EQ(standing(stalls), (std::vector<Told>{{1, 32, 3, 44}}));
}

// A span of any numbers, most of which fit into a packed one; times go on by up to 2^32 cycles.
TEST(PendingStalls, AreAsAListWouldBe) {
  std::mt19937_64 random(1);
  PendingStalls stalls;
  std::vector<Told> wanted;
  Cycle now = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto pe = static_cast<PeId>(random() % 5);
    switch (random() % 8) {
      case 0: {
        const Cycle from = now + random() % 200;
        stalls.forget(pe, from);
        std::erase_if(wanted, [&](const Told& one) {
          return std::get<0>(one) == pe && std::get<1>(one) >= from;
        });
        break;
      }
      case 1: {
        now += random() >> (32 + random() % 32);
        std::vector<Told> taken;
        stalls.take_finished(
            now, [&](PeId of, const StallSpan& span) { taken.push_back(told(of, span)); });
        std::vector<Told> over;
        std::ranges::copy_if(wanted, std::back_inserter(over),
                             [&](const Told& one) { return std::get<3>(one) < now; });
        ASSERT_EQ(taken, over) << step;
        std::erase_if(wanted, [&](const Told& one) { return std::get<3>(one) < now; });
        ASSERT_EQ(standing(stalls), wanted) << step;
        break;
      }
      default: {
        const Cycle from = now - std::min<Cycle>(now, 50) + (random() >> (34 + random() % 30));
        const std::uint64_t count = 1 + (random() >> (40 + random() % 24));
        const Cycle finish = from + 2 * count + 1 + (random() >> (40 + random() % 24));
        stalls.add(pe, {from, count, finish});
        wanted.push_back({pe, from, count, finish});
      }
    }
  }
}

}  // namespace
