// What is asked for ahead: in which order steps come to their items.
#include "vm/support/prefetch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace wse::vm {
namespace {

// Of few items and of many: the last step comes to all in their order, and the ones before it have
// been there.
TEST(InSteps, EachStepComesToAllItemsInOrderAndAfterTheOneBefore) {
  for (const std::size_t count : {0u, 1u, 12u, 13u, 100u}) {
    std::vector<std::uint32_t> stage(count);
    std::vector<std::uint32_t> items(count);
    for (std::uint32_t k = 0; k < count; ++k) items[k] = k;
    std::uint32_t next[3] = {};
    const auto step = [&](std::uint32_t number) {
      return [&, number](std::uint32_t item) {
        EXPECT_EQ(item, next[number]++);
        EXPECT_EQ(stage[item]++, number);
      };
    };
    in_steps(std::span(items), step(0), step(1), step(2));
    for (const std::uint32_t seen : next) EXPECT_EQ(seen, count);
  }
}

}  // namespace
}  // namespace wse::vm
