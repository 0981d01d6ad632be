// Tables that grow with the mesh: what they hold, what moves, and which pages they take.
#include "vm/support/large_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "vm/planes/messages/growing_table.h"
#include "vm/support/untouched_table.h"

namespace wse::vm {
namespace {

struct Entry {
  std::uint64_t number = 7;
  std::uint32_t square = 0;
};

TEST(GrowingTable, HoldsWhatWasAddedAndMovesNothingOnceItIsLarge) {
  wafer::GrowingTable<Entry> table;
  EXPECT_EQ(table.capacity(), 0u);
  const Entry* early = nullptr;
  constexpr std::uint32_t kCount = 400'000;
  for (std::uint32_t k = 0; k < kCount; ++k) {
    ASSERT_EQ(table.add(), k);
    ASSERT_EQ(table[k].number, 7u);
    table[k] = {.number = k, .square = k * k};
    ASSERT_GT(table.capacity(), k);
    if (k == 150'000) early = &table[3];
  }
  EXPECT_EQ(early, &table[3]);
  EXPECT_LT(table.capacity(), kCount + kCount / 2);
  for (std::uint32_t k = 0; k < kCount; ++k) {
    ASSERT_EQ(table[k].number, k);
    ASSERT_EQ(table[k].square, k * k);
  }
}

// Pages of the table that take memory.
std::size_t pages_of(UntouchedTable<Entry>& table) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t pages = (table.size() * sizeof(Entry) + page - 1) / page;
  std::vector<unsigned char> there(pages);
  EXPECT_EQ(::mincore(table.data(), pages * page, there.data()), 0);
  return static_cast<std::size_t>(std::ranges::count(there, 1));
}

TEST(UntouchedTable, TakesThePagesThatAreWritten) {
  UntouchedTable<Entry> table(1'000'000, PageSize::Small);
  EXPECT_EQ(pages_of(table), 0u);
  table[500'000].number = 1;
  EXPECT_EQ(pages_of(table), 1u);
  EXPECT_EQ(table[499'999].number, 0u);
  EXPECT_EQ(std::as_const(table)[500'000].number, 1u);
}

TEST(UntouchedTable, BeginsWithALargePageWhereThatIsWished) {
  UntouchedTable<Entry> table(1'000'000, PageSize::Large);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.data()) % (2u << 20), 0u);
  table[999'999].square = 3;
  EXPECT_EQ(table[999'999].square, 3u);
  table = UntouchedTable<Entry>(0, PageSize::Large);
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.data(), nullptr);
}

}  // namespace
}  // namespace wse::vm
