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

TEST(UntouchedTable, IsOfLargePagesWhereItIsNeitherSmallNorLarge) {
  UntouchedTable<Entry> table(100'000, PageSize::Small);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.data()) % (2u << 20), 0u);
  table[99'999].square = 3;
  EXPECT_EQ(table[99'999].square, 3u);
  EXPECT_EQ(table[50'000].number, 0u);
}

// Vectors of all sizes, of which every third goes before the next comes: each holds what was put
// into it, and begins with a cache line.
TEST(LargeVector, HoldsWhatWasPutIntoItWhateverItsSize) {
  std::vector<LargeVector<std::uint64_t>> vectors;
  const auto check = [](const LargeVector<std::uint64_t>& vector) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(vector.data()) % 16, 0u);
    for (std::size_t k = 0; k < vector.size(); k += 97) {
      ASSERT_EQ(vector[k], k * vector.size());
    }
  };
  for (std::size_t turn = 0; turn < 60; ++turn) {
    const std::size_t size = std::size_t{1} << turn % 20;
    LargeVector<std::uint64_t>& vector = vectors.emplace_back(size + turn);
    for (std::size_t k = 0; k < vector.size(); ++k) vector[k] = k * vector.size();
    if (turn % 3 != 0) continue;
    const std::size_t gone = turn % vectors.size();
    check(vectors[gone]);
    vectors.erase(vectors.begin() + static_cast<std::ptrdiff_t>(gone));
  }
  for (const LargeVector<std::uint64_t>& vector : vectors) check(vector);
}

}  // namespace
}  // namespace wse::vm
