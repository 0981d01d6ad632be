// Descriptors of instructions without bound: no number means that, in no register, slot or word of
// memory, and what a number is given stays bounded.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/isa/cases.h"

namespace wse::isa {
namespace {

// Lengths that mean something elsewhere, or once did, and the bounds of the range.
constexpr std::uint32_t kLengths[] = {0, 1, 31, 0x7fff, 0x8000, 0xffff, kMaxLength};
constexpr std::uint32_t kNoLengths[] = {kMaxLength + 1, kNoLength - 1, kNoLength};

Descriptor bounded(std::uint32_t length) {
  Descriptor d{.kind = DescriptorKind::Indexed,
               .colour = 3,
               .address = 12,
               .length = length,
               .stride = -2,
               .options = {.on_control = OnControl::Activate}};
  d.task = 30;
  d.ring = 9;
  return d;
}
Descriptor endless() {
  Descriptor d = bounded(kNoLength);
  d.options.endless = true;
  return d;
}

Step set_length(Bench& bench, std::uint32_t length) {
  bench.state.r[7] = length;
  return bench.run({.op = Op::SetLength, .destination = 5, .scalar = 7});
}

TEST(IsaEndless, ASetLengthIsABound) {
  for (const std::uint32_t length : kLengths) {
    Bench bench;
    bench.d.set(5, endless());
    ASSERT_EQ(set_length(bench, length), Step::Next);
    EXPECT_EQ(bench.d[5], bounded(length));
    EXPECT_FALSE(bench.d[5].is_unbounded());
    EXPECT_TRUE(bench.d[5].bounds_instruction());
  }
}

TEST(IsaEndless, ALengthBeyondAllIsRefused) {
  for (const std::uint32_t length : kNoLengths) {
    Bench bench;
    bench.d.set(5, endless());
    ASSERT_EQ(set_length(bench, length), Step::Trap);
    EXPECT_EQ(bench.state.trap, Trap::BadDescriptor);
    EXPECT_EQ(bench.d[5], endless());
  }
}

TEST(IsaEndless, ALiteralIsLoadedAsItIs) {
  Bench bench;
  DescriptorLiteral& literal = bench.descriptors[0];
  literal.kind = DescriptorKind::FabricIn;
  literal.length = {false, kNoLength};
  literal.options = {.endless = true};
  ASSERT_EQ(bench.run({.op = Op::LoadDescriptor}), Step::Next);
  EXPECT_TRUE(bench.d[0].is_unbounded());
  EXPECT_TRUE(bench.d[0].bounds_instruction());
  ASSERT_EQ(bench.run({.op = Op::GetLength, .destination = 3, .source_a = 0}), Step::Next);
  EXPECT_EQ(bench.state.r[3], ~0u);
}

TEST(IsaEndless, AParameterIsABound) {
  for (const std::uint32_t length : {0u, 0x7fffu, kMaxLength, kMaxLength + 1, kNoLength}) {
    Bench bench;
    DescriptorLiteral& literal = bench.descriptors[0];
    literal.kind = DescriptorKind::FabricOut;
    literal.length = {true, 4};
    bench.slots[4] = length;
    ASSERT_EQ(bench.run({.op = Op::LoadDescriptor}), Step::Next);
    EXPECT_EQ(bench.d[0].length, std::min(length, kNoLength - 1));
    EXPECT_TRUE(bench.d[0].bounds_instruction());
    EXPECT_FALSE(bench.d[0].is_unbounded());
  }
}

TEST(IsaEndless, ComesBackFromMemory) {
  EXPECT_EQ(descriptor_of(stored(endless())), endless());
  for (const std::uint32_t length : kLengths) {
    const std::optional<Descriptor> back = descriptor_of(stored(bounded(length)));
    ASSERT_TRUE(back);
    EXPECT_FALSE(back->is_unbounded());
  }
}

// Refuses the flag beside a number, and of a kind that waits for no words.
TEST(IsaEndless, OtherWordsOfMemoryAreNoDescriptor) {
  for (const std::uint32_t length : kLengths) {
    Descriptor d = endless();
    d.length = length;
    EXPECT_FALSE(descriptor_of(stored(d))) << length;
  }
  for (const DescriptorKind kind : {DescriptorKind::Memory, DescriptorKind::Circular}) {
    const Descriptor plain{.kind = kind, .length = 4, .stride = 1};
    EXPECT_TRUE(descriptor_of(stored(plain)));
    Descriptor flagged = plain;
    flagged.options.endless = true;
    EXPECT_FALSE(descriptor_of(stored(flagged)));
  }
  Descriptor fifo{.kind = DescriptorKind::Fifo, .length = kNoLength, .stride = 1};
  EXPECT_TRUE(descriptor_of(stored(fifo)));
  fifo.options.endless = true;
  EXPECT_FALSE(descriptor_of(stored(fifo)));
}

}  // namespace
}  // namespace wse::isa
