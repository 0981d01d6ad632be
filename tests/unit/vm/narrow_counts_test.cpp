// Counts of few bits: what they lose is kept apart, and nothing is lost.
#include "vm/ledger/narrow_counts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

using wse::vm::NarrowCounts;

TEST(NarrowCounts, AreAsWideOnesWouldBe) {
  std::mt19937_64 random(1);
  constexpr std::size_t kCounts = 10'000;
  NarrowCounts counts;
  counts.resize(kCounts);
  std::vector<std::uint64_t> wanted(kCounts);
  for (int step = 0; step < 100'000; ++step) {
    const std::size_t at = random() % kCounts;
    const std::uint64_t number = random() >> (random() % 64) >> 8;
    switch (random() % 4) {
      case 0:
        counts.take_back(at, std::min(wanted[at], number));
        wanted[at] -= std::min(wanted[at], number);
        break;
      case 1: {
        const std::size_t other = random() % kCounts;
        if (wanted[at] >> 62 != 0 || wanted[other] >> 62 != 0) break;
        counts.set_to_sums(at, at, other, 1);
        wanted[at] += wanted[other];
        break;
      }
      case 2:
        counts.set(at, number);
        wanted[at] = number;
        break;
      default:
        if (wanted[at] >> 62 != 0) break;
        counts.add(at, number);
        wanted[at] += number;
    }
    ASSERT_EQ(counts[at], wanted[at]) << step;
  }
  for (std::size_t at = 0; at < kCounts; ++at) ASSERT_EQ(counts[at], wanted[at]);
  counts.clear();
  for (std::size_t at = 0; at < kCounts; ++at) ASSERT_EQ(counts[at], 0u);
}

// Slices of sums that are read again and again, of which two become one.
TEST(NarrowCounts, AreDifferencesOfSums) {
  constexpr std::size_t kRows = 100;
  for (const unsigned most_bits : {8u, 15u, 40u}) {
    std::mt19937_64 random(most_bits);
    NarrowCounts counts;
    std::vector<std::uint64_t> sums(kRows), before(kRows), wanted;
    for (std::size_t slices = 0; slices < 64; ++slices) {
      counts.resize((slices + 1) * kRows);
      for (std::uint64_t& sum : sums) {
        wanted.push_back(random() >> (64 - random() % most_bits - 1));
        sum += wanted.back();
      }
      counts.set_to_differences(slices * kRows, sums, before);
      ASSERT_EQ(before, sums);
    }
    for (std::size_t slice = 0; slice < 32; ++slice) {
      const std::size_t first = 2 * slice * kRows;
      counts.set_to_sums(slice * kRows, first, first + kRows, kRows);
    }
    for (std::size_t k = 0; k < 32 * kRows; ++k) {
      const std::size_t first = k / kRows * 2 * kRows + k % kRows;
      ASSERT_EQ(counts[k], wanted[first] + wanted[first + kRows]) << most_bits << " bits, " << k;
    }
  }
}

TEST(NarrowCounts, ComeBackWhenTheyAreSet) {
  NarrowCounts counts;
  counts.resize(2);
  counts.set(1, std::uint64_t{1} << 40);
  counts.resize(1);
  counts.resize(2);
  counts.set(1, 7);
  EXPECT_EQ(counts[1], 7u);
}

}  // namespace
