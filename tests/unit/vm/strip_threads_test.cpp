// Threads that wait for the work of runs: all take part in each, and they end without it too.
#include "vm/strips/strip_threads.h"

#include <gtest/gtest.h>

#include <barrier>
#include <vector>

namespace wse::vm {
namespace {

TEST(StripThreads, AllWorkAtOnce) {
  for (const std::uint32_t count : {1u, 2u, 5u}) {
    StripThreads threads(count);
    ASSERT_EQ(threads.count(), count) << threads.shortage();
    EXPECT_EQ(threads.shortage(), "");
    std::barrier all(static_cast<std::ptrdiff_t>(count));  // passed only if all are there
    std::vector<int> calls(count);
    for (int round = 1; round <= 3; ++round) {
      threads.run([&](std::size_t k) {
        all.arrive_and_wait();
        ++calls[k];
      });
      EXPECT_EQ(calls, std::vector<int>(count, round));
    }
    threads.dismiss();
    EXPECT_EQ(threads.count(), 1u);
  }
}

TEST(StripThreads, EndWithoutWork) {
  StripThreads threads(4);
  threads.dismiss();
  EXPECT_EQ(threads.count(), 1u);
  const StripThreads others(4);  // its destructor must come back
}

}  // namespace
}  // namespace wse::vm
