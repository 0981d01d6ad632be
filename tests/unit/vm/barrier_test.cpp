// Threads that wait for each other, more of them than the host has processors too.
#include "vm/support/barrier.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace wse::vm {
namespace {

TEST(Barrier, NobodyPassesBeforeAllHaveCome) {
  constexpr int kRounds = 200;
  for (const std::uint32_t count : {1u, 2u, 3u, 8u}) {
    Barrier barrier(count);
    std::vector<int> rounds(count);
    std::vector<int> seen(count);  // sums of the rounds of all
    const auto work = [&](std::uint32_t self) {
      for (int round = 1; round <= kRounds; ++round) {
        rounds[self] = round;
        barrier.wait(self);
        int sum = 0;
        for (const int other : rounds) sum += other;
        seen[self] += sum == round * static_cast<int>(count) ? 1 : 0;
        barrier.wait(self);
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::uint32_t k = 1; k < count; ++k) threads.emplace_back(work, k);
      work(0);
    }
    for (const int right : seen) EXPECT_EQ(right, kRounds) << count;
  }
}

// The last one comes when another has called what it does meanwhile.
TEST(Barrier, WhoWaitsServesTheOthers) {
  Barrier barrier(2);
  std::atomic<bool> served = false;
  std::jthread other([&] {
    barrier.wait(1, [&] {
      served = true;
      return true;
    });
  });
  while (!served) std::this_thread::yield();
  barrier.wait(0);
}

// It naps between its calls, and neither a nap nor a call that finds nothing lets it pass.
TEST(Barrier, WhoServesPassesWithAllTheOthers) {
  constexpr int kCalls = 2100;  // more than it makes before it naps
  Barrier barrier(2);
  std::atomic<int> calls = 0;
  std::atomic<bool> has_passed = false;
  std::jthread other([&] {
    barrier.wait(1, [&] {
      ++calls;
      return false;
    });
    has_passed = true;
  });
  while (calls < kCalls && !has_passed) std::this_thread::yield();
  EXPECT_FALSE(has_passed);
  barrier.wait(0);
}

}  // namespace
}  // namespace wse::vm
