// Regions: which instructions belong together, where they may be entered, how much lies between two
// checks.
#include "jit/region.h"

#include <gtest/gtest.h>

namespace wse::jit {
namespace {

using isa::Instruction;
using isa::Op;

// Instructions, each at its code word.
struct Code {
  std::vector<Instruction> words;
  std::vector<std::uint8_t> begins;
  std::vector<isa::DescriptorLiteral> literals;

  std::uint32_t add(const Instruction& i) {
    const auto pc = static_cast<std::uint32_t>(words.size());
    words.push_back(i);
    begins.push_back(1);
    words.resize(pc + isa::info(i.op).words());
    begins.resize(words.size());
    return pc;
  }
  // Where native code begins at these already.
  Region from(std::uint32_t pc, std::initializer_list<std::uint32_t> native_at = {}) const {
    const std::vector<Start> starts = guess_starts(words, begins, literals);
    const RegionCode code{words, begins, starts};
    std::vector<std::uint8_t> native(words.size());
    for (const std::uint32_t at : native_at) native[at] = 1;
    return find_region(code, region_heads(code), native, pc);
  }
};

TEST(Region, ALoopIsOneWithItsWayInAndItsWayOut) {
  Code code;
  const std::uint32_t start = code.add({.op = Op::Mov32});
  const std::uint32_t head = code.add({.op = Op::Add32});
  code.add({.op = Op::Xor32});
  const std::uint32_t jump = code.add({.op = Op::BranchLess, .target = head});
  const std::uint32_t halt = code.add({.op = Op::Halt});
  const Region region = code.from(start);
  ASSERT_EQ(region.instructions.size(), 5u);
  EXPECT_TRUE(region.find(start)->is_entry);
  EXPECT_EQ(region.find(start)->most, 1u);
  EXPECT_TRUE(region.find(head)->is_entry);
  EXPECT_EQ(region.find(head)->most, 4u);  // round the loop, or to the end
  EXPECT_EQ(region.find(jump)->next, (std::vector<std::uint32_t>{head, halt}));
  EXPECT_TRUE(region.find(halt)->next.empty());
  EXPECT_TRUE(region.has_loop);
}

TEST(Region, AWayBackThroughAStopPointIsNoLoop) {
  Code code;
  const std::uint32_t head = code.add({.op = Op::Add32});
  const std::uint32_t skip = code.add({.op = Op::BranchLess});
  code.add({.op = Op::Halt});
  const std::uint32_t jump = code.add({.op = Op::Jump, .target = head});
  code.words[skip].target = jump;
  EXPECT_TRUE(code.from(head).has_loop);  // past the halt
  code.words[skip].target = skip + isa::info(Op::BranchLess).words();
  EXPECT_FALSE(code.from(head).has_loop);
}

TEST(Region, WhatFollowsAStopPointIsAnEntry) {
  Code code;
  const std::uint32_t start = code.add({.op = Op::Mov32});
  const std::uint32_t vector = code.add({.op = Op::VAdd32, .asynchronous = 1});
  const std::uint32_t after = code.add({.op = Op::Sub32});
  code.add({.op = Op::Halt});
  const Region region = code.from(start);
  EXPECT_EQ(region.find(start)->most, 2u);
  EXPECT_TRUE(region.find(vector)->expects_stop);  // whatever its operands are
  EXPECT_TRUE(region.find(vector)->next.empty());
  EXPECT_TRUE(region.find(after)->is_entry);
}

// Descriptor 1 and what is done with it.
struct VectorCode : Code {
  explicit VectorCode(isa::DescriptorKind kind, bool saves = false, bool changes = false) {
    literals.emplace_back();
    literals.back().kind = kind;
    literals.back().saves = saves;
    start = add({.op = Op::LoadDescriptor, .destination = 1, .target = 0});
    if (changes) add({.op = Op::SetLength, .destination = 1, .scalar = 2});
    vector = add({.op = Op::VAdd32, .destination = 1, .destination_kind = 1});
    after = add({.op = Op::Sub32});
    add({.op = Op::Halt});
  }
  std::uint32_t start = 0, vector = 0, after = 0;
};

TEST(Region, GoesThroughAVectorInstructionOnMemory) {
  const VectorCode code(isa::DescriptorKind::Memory);
  const Region region = code.from(code.start);
  EXPECT_EQ(region.find(code.vector)->next, std::vector{code.after});
  EXPECT_FALSE(region.find(code.vector)->expects_stop);
  EXPECT_FALSE(region.find(code.after)->is_entry);
  EXPECT_EQ(region.find(code.start)->most, 4u);
}

TEST(Region, EndsItsWayAtAVectorInstructionThatIsNotPassed) {
  const VectorCode fabric(isa::DescriptorKind::FabricIn);
  const VectorCode saving(isa::DescriptorKind::Memory, true);
  const VectorCode changed(isa::DescriptorKind::Memory, false, true);
  for (const VectorCode* const code : {&fabric, &saving, &changed}) {
    const Region region = code->from(code->start);
    EXPECT_TRUE(region.find(code->vector)->expects_stop);
    EXPECT_TRUE(region.find(code->vector)->next.empty());
    EXPECT_FALSE(region.find(code->vector)->is_entry);
    EXPECT_TRUE(region.find(code->after)->is_entry);
  }
}

TEST(Region, MayBeEnteredAfterAVectorInstructionOfWhichNothingIsKnown) {
  Code code;
  const std::uint32_t start = code.add({.op = Op::Mov32});
  const std::uint32_t vector = code.add({.op = Op::VAdd32, .destination_kind = 1});
  const std::uint32_t after = code.add({.op = Op::Sub32});
  code.add({.op = Op::Halt});
  const Region region = code.from(start);
  EXPECT_EQ(region.find(vector)->next, std::vector{after});
  EXPECT_TRUE(region.find(after)->is_entry);
}

TEST(Region, AJumpBackToAStopPointIsCountedToItsEnd) {
  Code code;
  const std::uint32_t halt = code.add({.op = Op::Halt});
  const std::uint32_t start = code.add({.op = Op::Add32});
  code.add({.op = Op::Jump, .target = halt});
  EXPECT_EQ(code.from(start).find(start)->most, 3u);
}

TEST(Region, HasNoMoreInstructionsThanAreCompiledWell) {
  Code code;
  for (std::size_t k = 0; k < 3 * kMostInstructions; ++k) code.add({.op = Op::Add32});
  code.add({.op = Op::Halt});
  const Region region = code.from(0);
  EXPECT_EQ(region.instructions.size(), kMostInstructions);
  EXPECT_EQ(region.find(0)->most, kMostInstructions);
  EXPECT_EQ(region.instructions.back().next.front(), kMostInstructions);  // leaves
}

TEST(Region, WithALoopHasFewVectorInstructions) {
  Code code;
  const std::uint32_t head = code.add({.op = Op::Add32});
  const std::uint32_t jump = code.add({.op = Op::BranchLess});
  for (std::size_t k = 0; k < kMostInstructions; ++k) code.add({.op = Op::VAdd32});
  code.words[jump].target = jump + isa::info(Op::BranchLess).words();
  EXPECT_EQ(code.from(head).instructions.size(), kMostInstructions);
  code.words[jump].target = head;
  const Region region = code.from(head);
  EXPECT_TRUE(region.has_loop);
  EXPECT_EQ(region.instructions.size(), 2 + (kMostInstructions - 2) / kStartWeight);
}

// Two loops, one after the other, in a third one where `outer` says so.
struct TwoLoops {
  explicit TwoLoops(bool outer) {
    start = code.add({.op = Op::Mov32});
    first = code.add({.op = Op::Add32});
    code.add({.op = Op::BranchLess, .target = first});
    second = code.add({.op = Op::Add32});
    code.add({.op = Op::BranchLess, .target = second});
    if (outer) code.add({.op = Op::BranchLess, .target = start});
    code.add({.op = Op::Halt});
  }

  Code code;
  std::uint32_t start = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

TEST(Region, LeavesALoopThatIsNativeToItself) {
  const TwoLoops loops(false);
  EXPECT_NE(loops.code.from(loops.start).find(loops.second), nullptr);
  const Region region = loops.code.from(loops.start, {loops.second});
  EXPECT_NE(region.find(loops.first), nullptr);
  EXPECT_EQ(region.find(loops.second), nullptr);
  EXPECT_TRUE(region.has_loop);
  // What is no loop is compiled once more.
  EXPECT_NE(loops.code.from(loops.first, {loops.start}).find(loops.second), nullptr);
}

TEST(Region, TakesANativeLoopThatLeadsBack) {
  const TwoLoops loops(true);
  EXPECT_NE(loops.code.from(loops.start, {loops.second}).find(loops.second), nullptr);
}

TEST(Region, AReturnLeadsToWhatFollowsCalls) {
  Code code;
  const std::uint32_t call = code.add({.op = Op::Call, .destination = 1});
  const std::uint32_t after = code.add({.op = Op::Halt});
  const std::uint32_t function = code.add({.op = Op::Add32});
  const std::uint32_t back = code.add({.op = Op::Return, .source_a = 1});
  code.words[call].target = function;
  const Region region = code.from(call);
  EXPECT_TRUE(region.find(back)->returns);
  EXPECT_TRUE(region.find(back)->next.empty());
  EXPECT_NE(region.find(after), nullptr);
}

}  // namespace
}  // namespace wse::jit
