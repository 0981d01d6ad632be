// The f32 functions against a reference made of integers, bit for bit, on special values and on
// many random operands that lean towards edges: carries, ties, cancellation, subnormals.
// Must never depend on chance: the seeds are fixed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/semantics/values.h"
#include "tests/support/float_operands.h"
#include "tests/support/soft_float.h"

namespace wse::isa {
namespace {

using semantics::Word;

constexpr int kRandomOperands = 250'000;

using Operands = test_support::SingleOperands;
using test_support::kSpecialSingles;

using Unary = Word (*)(Word);
using Binary = Word (*)(Word, Word);
using Ternary = Word (*)(Word, Word, Word);

void expect_same(Word expected, Word actual, std::string_view operands) {
  ASSERT_EQ(expected, actual) << fmt::format("{}: {:#010x}, not {:#010x}", operands, expected,
                                             actual);
}

void compare(Unary reference, Unary function) {
  for (const Word a : kSpecialSingles)
    expect_same(reference(a), function(a), fmt::format("{:#010x}", a));
  Operands operands(11);
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word a = operands.any();
    if (reference(a) != function(a)) {
      return expect_same(reference(a), function(a), fmt::format("{:#010x}", a));
    }
  }
}

void compare_at(Binary reference, Binary function, Word a, Word b) {
  if (reference(a, b) == function(a, b)) return;
  expect_same(reference(a, b), function(a, b), fmt::format("{:#010x}, {:#010x}", a, b));
}

void compare(Binary reference, Binary function) {
  for (const Word a : kSpecialSingles) {
    for (const Word b : kSpecialSingles) compare_at(reference, function, a, b);
  }
  Operands operands(12);
  for (int n = 0; n < kRandomOperands && !testing::Test::HasFatalFailure(); ++n) {
    const Word a = operands.any();
    compare_at(reference, function, a, operands.near(a));
  }
}

void compare_at(Ternary reference, Ternary function, Word a, Word b, Word c) {
  if (reference(a, b, c) == function(a, b, c)) return;
  expect_same(reference(a, b, c), function(a, b, c),
              fmt::format("{:#010x}, {:#010x}, {:#010x}", a, b, c));
}

void compare(Ternary reference, Ternary function) {
  for (const Word a : kSpecialSingles) {
    for (const Word b : kSpecialSingles) {
      for (const Word c : kSpecialSingles) compare_at(reference, function, a, b, c);
    }
  }
  Operands operands(13);
  for (int n = 0; n < kRandomOperands && !testing::Test::HasFatalFailure(); ++n) {
    const Word a = operands.any();
    const Word b = operands.any();
    compare_at(reference, function, a, b, operands.factor(a, b));
  }
}

TEST(IsaFloat, Add) { compare(test_support::soft_add, semantics::add_f32); }
TEST(IsaFloat, Subtract) { compare(test_support::soft_subtract, semantics::subtract_f32); }
TEST(IsaFloat, Multiply) { compare(test_support::soft_multiply, semantics::multiply_f32); }
TEST(IsaFloat, Divide) { compare(test_support::soft_divide, semantics::divide_f32); }
TEST(IsaFloat, SquareRoot) { compare(test_support::soft_square_root, semantics::square_root_f32); }
TEST(IsaFloat, MultiplyAdd) {
  compare(test_support::soft_multiply_add, semantics::multiply_add_f32);
}

// The random operands are no use if they seldom meet what is difficult.
TEST(IsaFloat, RandomOperandsMeetTheEdges) {
  Operands operands(13);
  int differs_if_rounded_twice = 0;
  int subnormal = 0;
  int infinite = 0;
  int nan = 0;
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word a = operands.any();
    const Word b = operands.any();
    const Word c = operands.factor(a, b);
    const Word once = test_support::soft_multiply_add(a, b, c);
    const Word twice = test_support::soft_add(a, test_support::soft_multiply(b, c));
    differs_if_rounded_twice += once != twice ? 1 : 0;
    const Word magnitude = once & 0x7fffffffu;
    subnormal += magnitude != 0 && magnitude < 0x00800000u ? 1 : 0;
    infinite += magnitude == 0x7f800000u ? 1 : 0;
    nan += magnitude > 0x7f800000u ? 1 : 0;
  }
  EXPECT_GT(differs_if_rounded_twice, kRandomOperands / 50);
  EXPECT_GT(subnormal, kRandomOperands / 100);
  EXPECT_GT(infinite, kRandomOperands / 100);
  EXPECT_LT(nan, kRandomOperands / 2);
}

}  // namespace
}  // namespace wse::isa
