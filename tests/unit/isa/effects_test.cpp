// Instructions that are more than a function of values: memory, time, stop points, assertions
// (descriptor registers: descriptor_test.cpp). One expectation per line of kEffects; a trap
// leaves the state as it was.
#include <gtest/gtest.h>

#include <map>

#include <iterator>

#include "tests/unit/isa/cases.h"

namespace wse::isa {
namespace {

void expect_trap(Bench& bench, const Instruction& i, Trap trap, std::uint32_t address) {
  Bench before;
  std::copy(std::begin(bench.state.r), std::end(bench.state.r), before.state.r);
  ASSERT_EQ(bench.run(i), Step::Trap);
  EXPECT_EQ(bench.state.trap, trap);
  EXPECT_EQ(bench.state.trap_address, address);
  EXPECT_EQ(bench.changes_since(before), "");
}

// ---- memory

bool writes(Op op) {
  const Format format = info(op).format;
  return format == Format::Store || format == Format::StoreIndexed;
}
std::uint32_t size_of(Op op) { return info(op).result_bytes(); }

// What a load of that size leaves of a word.
Word cut(Op op, Word word) { return size_of(op) == 2 ? word & 0xffffu : word; }

// Loads into or stores from r2; `index` in r6 counts for the indexed rows only.
Instruction access(Op op, std::uint32_t kind, std::uint32_t scalar) {
  Instruction i{.op = op, .scalar_kind = kind, .scalar = scalar};
  (writes(op) ? i.source_a : i.destination) = 2;
  if (info(op).format == Format::LoadIndexed) i.source_a = 6;
  if (info(op).format == Format::StoreIndexed) i.source_b = 6;
  return i;
}

void expect_access(Bench& bench, const Instruction& i, std::uint32_t address) {
  const Word value = writes(i.op) ? bench.state.r[2] : bench.word_at(address, size_of(i.op));
  ASSERT_EQ(bench.run(i), Step::Next);
  Bench after;
  after.state.r[6] = bench.state.r[6];
  after.state.r[2] = value;
  if (writes(i.op)) after.set_word(address, value, size_of(i.op));
  after.state.pc = 101;
  after.state.instructions = 1;
  after.state.slots_charged = after.state.cycles_charged = writes(i.op) ? 1 : 2;
  EXPECT_EQ(bench.changes_since(after), "");
}

void every_operand_kind(Op op) {
  for (const std::uint32_t kind : {kImmediate, kLiteral, kSlot}) {
    Bench bench;
    bench.state.r[6] = 0;
    bench.literals[1] = 24;
    bench.slots[1] = 24;
    expect_access(bench, access(op, kind, kind == kImmediate ? 24 : 1), 24);
  }
  Bench bench;
  bench.state.r[6] = 0;
  bench.state.r[9] = 24;
  Instruction i = access(op, 0, 9);
  const Word word = cut(op, writes(op) ? bench.state.r[2] : bench.word_at(24));
  ASSERT_EQ(bench.run(i), Step::Next);
  EXPECT_EQ(writes(op) ? bench.word_at(24, size_of(op)) : bench.state.r[2], word);
}

void first_and_last_word(Op op) {
  for (const std::uint32_t address : {0u, Bench::kMemoryBytes - size_of(op)}) {
    Bench bench;
    bench.state.r[6] = 0;
    expect_access(bench, access(op, kImmediate, address), address);
  }
}

void outside(Op op) {
  for (const std::uint32_t address : {Bench::kMemoryBytes, 0xfffffffcu, 0x80000000u}) {
    Bench bench;
    bench.state.r[6] = 0;
    bench.literals[0] = address;
    expect_trap(bench, access(op, kLiteral, 0), Trap::OutsideMemory, address);
  }
}

// Memory whose size is no multiple of a word: the last, incomplete word cannot be used.
void cut_memory(Op op) {
  for (const std::uint32_t bytes : {0u, 1u, size_of(op) - 1}) {
    Bench bench;
    bench.state.r[6] = 0;
    bench.state.memory_bytes = bytes;
    expect_trap(bench, access(op, kImmediate, 0), Trap::OutsideMemory, 0);
  }
  Bench bench;
  bench.state.r[6] = 0;
  bench.state.memory_bytes = 3 + size_of(op);
  expect_trap(bench, access(op, kImmediate, 4), Trap::OutsideMemory, 4);
}

// A misaligned address is told as such, inside memory or not.
void misaligned(Op op) {
  for (const std::uint32_t address : {1u, 2u, 3u, 7u, Bench::kMemoryBytes - 3, 0xffffffffu}) {
    if (address % size_of(op) == 0) continue;
    Bench bench;
    bench.state.r[6] = 0;
    bench.literals[0] = address;
    expect_trap(bench, access(op, kLiteral, 0), Trap::Misaligned, address);
  }
}

// The index counts elements and is signed, since addresses wrap.
void index_counts_elements(Op op) {
  const std::uint32_t size = size_of(op);
  const std::pair<Word, std::uint32_t> kPlaces[] = {
      {0, 16}, {3, 16 + 3 * size}, {0xffffffffu, 16 - size}};
  for (const auto& [index, address] : kPlaces) {
    Bench bench;
    bench.state.r[6] = index;
    expect_access(bench, access(op, kImmediate, 16), address);
  }
  Bench bench;
  bench.state.r[6] = 48 / size;
  expect_trap(bench, access(op, kImmediate, 16), Trap::OutsideMemory, 64);
  bench.state.r[6] = 0u - 16 / size - 1;
  expect_trap(bench, access(op, kImmediate, 16), Trap::OutsideMemory, 0u - size);
}

void one_register_index_and_value(Op op) {
  Bench bench;
  Instruction i = access(op, kImmediate, 16);
  if (writes(op)) i.source_a = 6;
  if (!writes(op)) i.destination = 6;
  bench.state.r[6] = 8 / size_of(op);
  const Word index = bench.state.r[6];
  ASSERT_EQ(bench.run(i), Step::Next);
  EXPECT_EQ(writes(op) ? bench.word_at(24, size_of(op)) : bench.state.r[6],
            writes(op) ? index : cut(op, 0xb0000006u));
}

// ---- control

void calls(Op op) {
  Bench bench;
  ASSERT_EQ(bench.run({.op = op, .destination = 9, .target = 3}), Step::Next);
  EXPECT_EQ(bench.state.r[9], 101u);
  EXPECT_EQ(bench.state.pc, 3u);
  expect_charge(bench, 4);
}

void returns_to_instructions_only(Op op) {
  constexpr std::uint8_t kBegins[] = {1, 1, 0, 1};
  const Instruction i{.op = op, .source_a = 9};
  for (const std::uint32_t target : {0u, 1u, 2u, 3u, 4u, 0xffffffffu}) {
    Bench bench;
    bench.view.begins = kBegins;
    bench.view.code_words = 4;
    bench.state.r[9] = target;
    if (target == 2 || target > 3) {
      expect_trap(bench, i, Trap::BadReturn, target);
      continue;
    }
    ASSERT_EQ(bench.run(i), Step::Next);
    EXPECT_EQ(bench.state.pc, target);
    expect_charge(bench, 4);
  }
}

void reads_the_upper_bits(Op op) {
  Bench bench;
  bench.state.start_cycle = 0xfffe0004ffffffffu;
  bench.state.cycles_charged = 1;
  ASSERT_EQ(bench.run({.op = op, .destination = 4}), Step::Next);
  EXPECT_EQ(bench.state.r[4], 5u);
  EXPECT_EQ(bench.state.cycles_charged, 1u + 2u);
}

// Against the generator bit by bit.
void makes_random_bits(Op op) {
  Bench bench;
  Word bits = 0xdeadbeefu;
  for (int use = 0; use < 20; ++use) {
    for (int step = 0; step < 128; ++step) {
      bits = bits << 1 | ((bits >> 22 & 1) ^ (bits >> 17 & 1));
    }
    ASSERT_EQ(bench.run({.op = op, .destination = 4}), Step::Next);
    EXPECT_EQ(bench.state.r[4], bits & 0xffffu);
  }
  EXPECT_EQ(bench.state.cycles_charged, 20u);
}

void jumps(Op op) {
  Bench bench;
  ASSERT_EQ(bench.run({.op = op, .target = 3}), Step::Next);
  EXPECT_EQ(bench.state.pc, 3u);
  expect_charge(bench, 3);
}

void reads_the_counter_as_it_begins(Op op) {
  Bench bench;
  bench.state.start_cycle = 0xfffffffffffu;
  bench.state.cycles_charged = 2;
  ASSERT_EQ(bench.run({.op = op, .destination = 4}), Step::Next);
  EXPECT_EQ(bench.state.r[4], 1u);  // 0x100000000001: the low word
  EXPECT_EQ(bench.state.pc, 101u);
  EXPECT_EQ(bench.state.cycles_charged, 2u + 2u);
}

void stops(Op op) {
  Bench bench;
  const Bench before;
  EXPECT_EQ(bench.run({.op = op}), Step::Stop);
  EXPECT_EQ(bench.changes_since(before), "");
}

void asks_for_service(Op op) {
  Bench bench;
  const Bench before;
  EXPECT_EQ(bench.run({.op = op}), Step::Service);
  EXPECT_EQ(bench.changes_since(before), "");
}

void reads_what_is_left(Op op) {
  Bench bench;
  bench.state.left = 0xfffffffe;
  ASSERT_EQ(bench.run({.op = op, .destination = 3}), Step::Next);
  EXPECT_EQ(bench.state.r[3], 0xfffffffeu);
  EXPECT_EQ(bench.state.left, 0xfffffffeu);
  expect_charge(bench, 1);
}

struct Comparison {
  Condition condition;
  Type type;
  Word a;
  Word b;
  bool holds;
};

constexpr Word kHalfMinusZero = 0x8000;
constexpr Word kHalfNan = 0x7e00;

constexpr Comparison kComparisons[] = {
#define COMPARISON(condition, type, a, b, holds) {Condition::condition, Type::type, a, b, holds},
#include "tests/unit/isa/comparisons.def"
#undef COMPARISON
};

void compares(Op op) {
  std::map<std::pair<Condition, Type>, int> seen;
  for (const Comparison& c : kComparisons) {
    seen[{c.condition, c.type}] |= c.holds ? 1 : 2;
    Bench bench;
    bench.state.r[1] = c.a;
    bench.state.r[2] = c.b;
    const Instruction i{.op = op,
                        .source_a = 1,
                        .scalar = 2,
                        .condition = static_cast<std::uint32_t>(c.condition),
                        .compared_type = static_cast<std::uint32_t>(c.type)};
    SCOPED_TRACE(&c - kComparisons);
    if (!c.holds) {
      expect_trap(bench, i, Trap::Assertion, 0);
      continue;
    }
    EXPECT_EQ(bench.run(i), Step::Next);
    EXPECT_EQ(bench.state.pc, 102u);
    expect_charge(bench, 0);
  }
  EXPECT_EQ(seen.size(), kConditionCount * (kTypeCount - 1)) << "a comparison without expectation";
  for (const auto& [comparison, both] : seen) {
    EXPECT_EQ(both, 3) << "a comparison without both outcomes";
  }
}

// What every load and store does.
constexpr struct {
  const char* what;
  void (*check)(Op);
} kMemoryEffects[] = {{"EveryOperandKind", every_operand_kind},
                      {"FirstAndLastWord", first_and_last_word},
                      {"Outside", outside},
                      {"CutMemory", cut_memory},
                      {"Misaligned", misaligned}};

constexpr Effect kOtherEffects[] = {
    {"IndexCountsElements", Op::Load32X, index_counts_elements},
    {"IndexCountsElements", Op::Store32X, index_counts_elements},
    {"IndexCountsElements", Op::Load16X, index_counts_elements},
    {"IndexCountsElements", Op::Store16X, index_counts_elements},
    {"OneRegisterIndexAndValue", Op::Load32X, one_register_index_and_value},
    {"OneRegisterIndexAndValue", Op::Store32X, one_register_index_and_value},
    {"OneRegisterIndexAndValue", Op::Load16X, one_register_index_and_value},
    {"OneRegisterIndexAndValue", Op::Store16X, one_register_index_and_value},
    {"Jumps", Op::Jump, jumps},
    {"CounterAsItBegins", Op::ReadTsc, reads_the_counter_as_it_begins},
    {"Calls", Op::Call, calls},
    {"ToInstructionsOnly", Op::Return, returns_to_instructions_only},
    {"UpperBits", Op::ReadTscHigh, reads_the_upper_bits},
    {"WhatIsLeft", Op::ReadLeft, reads_what_is_left},
    {"RandomBits", Op::Random16, makes_random_bits},
    {"Stops", Op::Wait, stops},
    {"Stops", Op::Halt, stops},
    {"StopsToRoute", Op::SetRoute, stops},
    {"StopsToSwitch", Op::SetSwitchPosition, stops},
    {"StopsToFilter", Op::SetFilter, stops},
    {"StopsToGoOn", Op::TeardownExit, stops},
    {"Stops", Op::EndTask, stops},
    {"Stops", Op::Activate, stops},
    {"Stops", Op::Block, stops},
    {"Stops", Op::Unblock, stops},
    {"Service", Op::Mark, asks_for_service},
    {"Service", Op::Print, asks_for_service},
    {"Compares", Op::Assert, compares},
};

std::vector<Effect> all_effects() {
  std::vector<Effect> effects(std::begin(kOtherEffects), std::end(kOtherEffects));
  for (const auto& [what, check] : kMemoryEffects) {
    for (const Op op : {Op::Load32, Op::Load32X, Op::Store32, Op::Store32X, Op::Load16, Op::Load16X,
                        Op::Store16, Op::Store16X}) {
      effects.push_back({what, op, check});
    }
  }
  return effects;
}

class IsaEffect : public testing::TestWithParam<Effect> {};

TEST_P(IsaEffect, Holds) { GetParam().check(GetParam().op); }

INSTANTIATE_TEST_SUITE_P(Rows, IsaEffect, testing::ValuesIn(all_effects()), [](const auto& effect) {
  return std::string(isa::info(effect.param.op).name) + std::string(effect.param.what);
});

}  // namespace

std::vector<Op> effect_rows() {
  std::vector<Op> rows;
  for (const Effect& effect : all_effects()) rows.push_back(effect.op);
  for (const Effect& effect : descriptor_effects()) rows.push_back(effect.op);
  return rows;
}

}  // namespace wse::isa
