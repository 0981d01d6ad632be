// Where the elements of memory operands lie and which words they touch, against a naive loop over
// indices.
#include "vm/pe/element_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/random.h"
#include "vm/pe/word_set.h"

namespace wse::vm {
namespace {

using isa::Descriptor;
using isa::DescriptorKind;
using test_support::Random;

std::int64_t pick(Random& random, int low, int high) {
  return low + static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(high - low + 1)));
}

Descriptor random_descriptor(Random& random) {
  Descriptor d{.kind = DescriptorKind::Memory};
  d.address = static_cast<std::uint32_t>(4 * pick(random, 100, 130));
  d.stride = static_cast<std::int32_t>(pick(random, -6, 6));
  d.position = static_cast<std::uint32_t>(pick(random, 0, 9));
  if (random.below(3) == 0) {
    d.kind = DescriptorKind::Circular;
    d.ring = static_cast<std::uint32_t>(pick(random, 1, 7));
    return d;
  }
  d.further = static_cast<std::uint8_t>(random.below(isa::kMaxDimensions));
  for (std::uint32_t k = 0; k < d.further; ++k) {
    d.inner[k] = {static_cast<std::uint32_t>(pick(random, 1, 4)),
                  static_cast<std::int32_t>(pick(random, -6, 6))};
  }
  return d;
}

// Element e of the descriptor by its definition: one odometer, turned e times.
std::int64_t naive_address(const Descriptor& d, std::uint64_t e, std::int64_t bytes) {
  if (d.kind == DescriptorKind::Circular) {
    std::int64_t place = 0;
    for (std::uint64_t k = 0; k < e; ++k) place = place + 1 == d.ring ? 0 : place + 1;
    return d.address + place * d.stride * bytes;
  }
  std::vector<std::int64_t> odometer(d.further + 1u);
  for (std::uint64_t k = 0; k < e; ++k) {
    std::size_t dimension = d.further;
    while (dimension > 0 && ++odometer[dimension] == d.inner[dimension - 1].extent) {
      odometer[dimension--] = 0;
    }
    if (dimension == 0) ++odometer[0];
  }
  std::int64_t elements = odometer[0] * d.stride;
  for (std::size_t k = 0; k < d.further; ++k) elements += odometer[k + 1] * d.inner[k].stride;
  return d.address + elements * bytes;
}

std::vector<std::int64_t> naive_addresses(const Descriptor& d, std::uint64_t count,
                                          std::int64_t bytes) {
  std::vector<std::int64_t> addresses;
  for (std::uint64_t k = 0; k < count; ++k) {
    addresses.push_back(naive_address(d, d.position + k, bytes));
  }
  return addresses;
}

TEST(ElementPath, RunsVisitTheElementsOfTheIndexLoop) {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const Descriptor d = random_descriptor(random);
    const std::uint32_t bytes = random.below(2) == 0 ? 2 : 4;
    const ElementPath path(d, bytes);
    const std::vector<std::int64_t> expected = naive_addresses(d, 60, bytes);
    for (std::uint64_t k = 0; k < expected.size(); ++k) {
      const ElementRun run = path.run_at(k);
      ASSERT_GE(run.count, 1u);
      for (std::uint64_t j = 0; j < run.count && k + j < expected.size(); ++j) {
        const std::int64_t address = run.first + static_cast<std::int64_t>(j) * run.step;
        ASSERT_EQ(address, expected[k + j]) << "round " << round << ", element " << k << " + " << j;
      }
    }
  }
}

TEST(ElementPath, TheNextInstructionGoesOnAtThePositionBehind) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    Descriptor d = random_descriptor(random);
    const auto count = static_cast<std::uint32_t>(random.below(20));
    const std::vector<std::int64_t> all = naive_addresses(d, count + 8u, 4);
    d.position = position_after(d, count);
    const std::vector<std::int64_t> rest(all.begin() + count, all.end());
    ASSERT_EQ(naive_addresses(d, 8, 4), rest) << "round " << round;
    if (d.kind == DescriptorKind::Circular) {
      EXPECT_LT(d.position, d.ring);
    }
  }
}

// No address that a register can hold leaves 64 bits.
TEST(ElementPath, TheFarthestElementHasAnAddress) {
  Descriptor d{.kind = DescriptorKind::Memory, .address = ~0u, .stride = -isa::kMaxStride};
  d.position = ~0u;
  const std::int64_t element = 0xffffffffll + isa::kMaxLength;
  EXPECT_EQ(ElementPath(d, 4).run_at(isa::kMaxLength).first,
            0xffffffffll - element * isa::kMaxStride * 4);
  d.further = 3;
  d.inner = {{{1u, isa::kMaxStride}, {1u, isa::kMaxStride}, {1u, isa::kMaxStride}}};
  EXPECT_EQ(ElementPath(d, 4).run_at(isa::kMaxLength).first,
            0xffffffffll - element * isa::kMaxStride * 4);
}

TEST(ElementPath, RowsAndRingsWithoutElementsAreEndless) {
  Descriptor d{.kind = DescriptorKind::Memory, .stride = 1};
  EXPECT_FALSE(is_endless(d));
  d.further = 2;
  d.inner = {{{3u, 1}, {0u, 1}, {}}};
  EXPECT_TRUE(is_endless(d));
  d.inner[1].extent = 1;
  EXPECT_FALSE(is_endless(d));
  EXPECT_TRUE(is_endless(Descriptor{.kind = DescriptorKind::Circular}));
}

std::set<std::int64_t> naive_words(const Descriptor& d, std::uint64_t count, std::int64_t bytes) {
  std::set<std::int64_t> words;
  for (const std::int64_t address : naive_addresses(d, count, bytes)) {
    for (std::int64_t byte = 0; byte < bytes; byte += 2) words.insert(address + byte);
  }
  return words;
}

TEST(WordSet, IntersectionEqualsBruteForce) {
  Random random(3);
  int meetings = 0;
  int linear = 0;
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round) {
    WordSet sets[2];
    Descriptor d[2];
    std::set<std::int64_t> words[2];
    for (int k = 0; k < 2; ++k) {
      d[k] = random_descriptor(random);
      const std::uint32_t bytes = random.below(2) == 0 ? 2 : 4;
      const std::uint32_t count = random.below(20);
      sets[k] = WordSet(ElementPath(d[k], bytes), count, bytes);
      words[k] = naive_words(d[k], count, bytes);
      linear += ElementPath(d[k], bytes).is_linear() ? 1 : 0;
      ASSERT_EQ(sets[k].empty(), words[k].empty());
      if (words[k].empty()) continue;
      ASSERT_EQ(sets[k].low(), *words[k].begin()) << "round " << round;
      ASSERT_EQ(sets[k].high(), *words[k].rbegin() + 2) << "round " << round;
    }
    const bool meet = std::ranges::any_of(
        words[0], [&words](std::int64_t word) { return words[1].contains(word); });
    meetings += meet ? 1 : 0;
    ASSERT_EQ(intersect(sets[0], sets[1]), meet) << "round " << round;
    ASSERT_EQ(intersect(sets[1], sets[0]), meet) << "round " << round;
  }
  EXPECT_GT(meetings, kRounds / 10);  // both answers and all kinds are well represented
  EXPECT_LT(meetings, kRounds - kRounds / 10);
  EXPECT_GT(linear, kRounds / 10);
}

TEST(WordSet, SameElementsMeansTheSameOrder) {
  Random random(4);
  int same = 0;
  for (int round = 0; round < 20000; ++round) {
    const Descriptor a = random_descriptor(random);
    Descriptor b = a;  // so that equal orders are no rarity
    if (random.below(2) == 0) b.position = static_cast<std::uint32_t>(pick(random, 0, 9));
    if (random.below(2) == 0) b.stride = static_cast<std::int32_t>(pick(random, -2, 2));
    if (random.below(8) == 0) b = random_descriptor(random);
    const std::uint32_t count = random.below(12);
    const bool expected = naive_addresses(a, count, 4) == naive_addresses(b, count, 4);
    same += expected ? 1 : 0;
    ASSERT_EQ(
        same_elements(WordSet(ElementPath(a, 4), count, 4), WordSet(ElementPath(b, 4), count, 4)),
        expected)
        << "round " << round;
  }
  EXPECT_GT(same, 2000);
}

TEST(WordSet, OtherLengthsAndWidthsAreOtherElements) {
  const Descriptor d{.kind = DescriptorKind::Memory, .address = 8, .stride = 1};
  const WordSet four(ElementPath(d, 4), 4, 4);
  EXPECT_TRUE(same_elements(four, WordSet(ElementPath(d, 4), 4, 4)));
  EXPECT_FALSE(same_elements(four, WordSet(ElementPath(d, 4), 5, 4)));
  EXPECT_FALSE(same_elements(four, WordSet(ElementPath(d, 2), 4, 2)));
  EXPECT_TRUE(intersect(four, WordSet::of_bytes(20, 4)));
  EXPECT_FALSE(intersect(four, WordSet::of_bytes(24, 4)));
  EXPECT_FALSE(intersect(WordSet{}, four));
}

}  // namespace
}  // namespace wse::vm
