// f16 against a reference made of integers, bit for bit: all encodings for one operand; special
// values and a million random ones, that lean towards edges, for two and three. Must never depend
// on chance: the seeds are fixed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/formula/formula.h"
#include "isa/semantics/values.h"
#include "tests/support/float_operands.h"
#include "tests/support/soft_float.h"
#include "tests/support/soft_half.h"

namespace wse::isa {
namespace {

using semantics::Word;

constexpr Word kEncodings = 0x10000;
constexpr int kRandomOperands = 1'000'000;

using Operands = test_support::HalfOperands;
using test_support::kSpecialHalves;

using Unary = Word (*)(Word);
using Binary = Word (*)(Word, Word);
using Ternary = Word (*)(Word, Word, Word);

void compare(Unary reference, Unary function) {
  for (Word a = 0; a < kEncodings; ++a) {
    ASSERT_EQ(reference(a), function(a)) << fmt::format("{:#06x}", a);
    ASSERT_EQ(reference(a), function(a | 0xabcd0000u)) << fmt::format("{:#06x}", a);
  }
}

void compare(Binary reference, Binary function) {
  for (const Word a : kSpecialHalves) {
    for (const Word b : kSpecialHalves) {
      ASSERT_EQ(reference(a, b), function(a, b)) << fmt::format("{:#06x}, {:#06x}", a, b);
    }
  }
  Operands operands(21);
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word a = operands.any();
    const Word b = operands.any();
    const Word expected = reference(a, b);
    if (expected == function(operands.dirty(a), operands.dirty(b))) continue;
    ASSERT_EQ(expected, function(a, b)) << fmt::format("{:#06x}, {:#06x}", a, b);
    FAIL() << "bits above the low half count";
  }
}

void compare(Ternary reference, Ternary function) {
  for (const Word a : kSpecialHalves) {
    for (const Word b : kSpecialHalves) {
      for (const Word c : kSpecialHalves) {
        ASSERT_EQ(reference(a, b, c), function(a, b, c))
            << fmt::format("{:#06x}, {:#06x}, {:#06x}", a, b, c);
      }
    }
  }
  Operands operands(22);
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word a = operands.any();
    const Word b = operands.any();
    const Word c = operands.any();
    const Word expected = reference(a, b, c);
    if (expected == function(operands.dirty(a), operands.dirty(b), operands.dirty(c))) continue;
    ASSERT_EQ(expected, function(a, b, c)) << fmt::format("{:#06x}, {:#06x}, {:#06x}", a, b, c);
    FAIL() << "bits above the low half count";
  }
}

TEST(IsaHalf, Add) { compare(test_support::soft_half_add, semantics::add_f16); }
TEST(IsaHalf, Subtract) { compare(test_support::soft_half_subtract, semantics::subtract_f16); }
TEST(IsaHalf, Multiply) { compare(test_support::soft_half_multiply, semantics::multiply_f16); }
TEST(IsaHalf, Divide) { compare(test_support::soft_half_divide, semantics::divide_f16); }
TEST(IsaHalf, Minimum) { compare(test_support::soft_half_minimum, semantics::minimum_f16); }
TEST(IsaHalf, Maximum) { compare(test_support::soft_half_maximum, semantics::maximum_f16); }
TEST(IsaHalf, MultiplyAdd) {
  compare(test_support::soft_half_multiply_add, semantics::multiply_add_f16);
}
TEST(IsaHalf, SquareRoot) {
  compare(test_support::soft_half_square_root, semantics::square_root_f16);
}
TEST(IsaHalf, ToSingle) { compare(test_support::soft_half_to_single, semantics::single_of_half); }
TEST(IsaHalf, FromInt16) { compare(test_support::soft_half_from_int16, semantics::half_of_int16); }
TEST(IsaHalf, ToInt16) { compare(test_support::soft_half_to_int16, semantics::int16_of_half); }
TEST(IsaHalf, NegateAndAbsolute) {
  compare([](Word a) { return (a ^ 0x8000u) & 0xffffu; }, semantics::negate_f16);
  compare([](Word a) { return a & 0x7fffu; }, semantics::absolute_f16);
}
TEST(IsaHalf, Int16ToSingleAndInt32) {
  for (Word a = 0; a < kEncodings; ++a) {
    ASSERT_EQ(semantics::int16_of_single(semantics::single_of_int16(a)), a);
    ASSERT_EQ(semantics::int32_of_single(semantics::single_of_int16(a)),
              a < 0x8000 ? a : a | 0xffff0000u);
    ASSERT_EQ(semantics::int32_of_int16(a), a < 0x8000 ? a : a | 0xffff0000u);
  }
}

// Every f16, the numbers between two neighbours, and what lies just beside those.
TEST(IsaHalf, FromSingle) {
  for (Word a = 0; a < kEncodings; ++a) {
    const Word single = test_support::soft_half_to_single(a);
    for (const Word between : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x1fffu}) {
      const Word bits = single | between;
      ASSERT_EQ(test_support::soft_half_from_single(bits), semantics::half_of_single(bits))
          << fmt::format("{:#010x}", bits);
    }
  }
  test_support::Random random(23);
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word any = random.word();
    const Word near = (any & 0x807fffffu) | (100 + random.below(46)) << 23;
    for (const Word bits : {any, near, near & 0xfffff000u}) {
      if (test_support::soft_half_from_single(bits) == semantics::half_of_single(bits)) continue;
      ASSERT_EQ(test_support::soft_half_from_single(bits), semantics::half_of_single(bits))
          << fmt::format("{:#010x}", bits);
    }
  }
}

TEST(IsaHalf, FromDoubleRoundsOnce) {
  test_support::Random random(24);
  for (int n = 0; n < kRandomOperands; ++n) {
    std::uint64_t bits = std::uint64_t{random.word()} << 32 | random.word();
    if (n % 8 != 0)
      bits = (bits & 0x800fffffffffffffu) | (995 + static_cast<std::uint64_t>(n % 48)) << 52;
    // The middle of two f16, or a little more or less.
    if (n % 3 == 0) bits = (bits & ~std::uint64_t{0x1ffffffffff}) + random.below(3) - 1;
    const Word half = semantics::half_bits(std::bit_cast<double>(bits));
    ASSERT_EQ(test_support::soft_half_from_double(bits), half) << fmt::format("{:#x}", bits);
  }
}

TEST(IsaHalf, SingleToInt32) {
  test_support::Random random(25);
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word any = random.word();
    for (const Word a : {any, (any & 0x807fffffu) | (125 + random.below(36)) << 23}) {
      ASSERT_EQ(test_support::soft_single_to_int32(a), semantics::int32_of_single(a))
          << fmt::format("{:#010x}", a);
    }
  }
}

// Mixed operations are those of f32 on the exact values of the f16.
TEST(IsaHalf, Mixed) {
  Operands operands(26);
  test_support::Random random(27);
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word b = operands.any();
    const Word c = operands.any();
    const Word any = random.word();
    const Word a = n % 2 != 0 ? any : (any & 0x807fffffu) | (90 + random.below(60)) << 23;
    const Word wide_b = test_support::soft_half_to_single(b);
    const Word wide_c = test_support::soft_half_to_single(c);
    ASSERT_EQ(test_support::soft_add(wide_b, a), semantics::add_mixed(operands.dirty(b), a));
    ASSERT_EQ(test_support::soft_multiply_add(a, wide_b, wide_c),
              semantics::multiply_add_mixed(a, operands.dirty(b), operands.dirty(c)))
        << fmt::format("{:#010x} + {:#06x} * {:#06x}", a, b, c);
  }
}

// The random operands are no use if they seldom meet what is difficult.
TEST(IsaHalf, RandomOperandsMeetTheEdges) {
  Operands operands(22);
  int differs_if_rounded_twice = 0;
  int subnormal = 0;
  int infinite = 0;
  int nan = 0;
  for (int n = 0; n < kRandomOperands; ++n) {
    const Word a = operands.any();
    const Word b = operands.any();
    const Word c = operands.any();
    const Word once = test_support::soft_half_multiply_add(a, b, c);
    const Word twice = test_support::soft_half_add(a, test_support::soft_half_multiply(b, c));
    differs_if_rounded_twice += once != twice ? 1 : 0;
    const Word magnitude = once & 0x7fffu;
    subnormal += magnitude != 0 && magnitude < 0x0400u ? 1 : 0;
    infinite += magnitude == 0x7c00u ? 1 : 0;
    nan += magnitude > 0x7c00u ? 1 : 0;
  }
  EXPECT_GT(differs_if_rounded_twice, kRandomOperands / 100);
  EXPECT_GT(subnormal, kRandomOperands / 200);
  EXPECT_GT(infinite, kRandomOperands / 100);
  EXPECT_LT(nan, kRandomOperands / 2);
}

TEST(IsaHalf, TextReadsBackAsTheSameNumber) {
  for (Word a = 0; a < kEncodings; ++a) {
    if (semantics::is_nan_f16(a)) continue;
    ASSERT_EQ(semantics::half_bits(shortest_half(a)), a);
    ASSERT_EQ(*to_bits(from_bits(a, Type::F16), Type::F16), a);
  }
  EXPECT_EQ(to_text(Number::of(shortest_half(0x2e66))), "0.1");
  EXPECT_EQ(to_text(Number::of(shortest_half(0x7bff))), "65500.0");
}

}  // namespace
}  // namespace wse::isa
