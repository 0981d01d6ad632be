// The f32 functions against a reference made of integers, bit for bit, on special values and on
// many random operands that lean towards edges: carries, ties, cancellation, subnormals.
// Must never depend on chance: the seeds are fixed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/semantics/values.h"
#include "tests/support/random.h"
#include "tests/support/soft_float.h"

namespace wse::isa {
namespace {

using semantics::Word;

constexpr int kRandomOperands = 250'000;

constexpr Word kSpecial[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x00000003, 0x003fffff, 0x00400000,
    0x007ffffe, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x00ffffff, 0x01000000,
    0x33800000, 0x34000000, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001,
    0x3fb504f3, 0x40000000, 0x40400000, 0x4b7fffff, 0x4b800000, 0xcb800000, 0x4b800001, 0x5f000000,
    0x72ffffff, 0x73000000, 0x7e800000, 0x7f000000, 0x7f7ffffe, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7f800001, 0xff800001, 0x7fbfffff, 0x7fc00000, 0xffc00000, 0x7fc12345, 0x7fffffff};

class Operands {
 public:
  explicit Operands(std::uint32_t seed) : random_(seed) {}

  Word any() {
    switch (random_.below(8)) {
      case 0: return kSpecial[random_.below(std::size(kSpecial))];
      case 1: return make(random_.below(3), fraction());         // subnormals and just above
      case 2: return make(252 + random_.below(4), fraction());   // large, infinite, NaN
      case 3: return make(64 + random_.below(128), fraction());  // products stay finite
      default: return random_.word();
    }
  }
  // A number near `other`, so that sums cancel and quotients stay finite.
  Word near(Word other) {
    if (random_.one_in(3)) return any();
    if (random_.one_in(3)) return other ^ random_.below(4) ^ random_.below(2) << 31;
    return make(exponent_of(other) + random_.below(55) - 27, fraction());
  }
  // A factor that brings the product with `other` near the exponent of `sum`.
  Word factor(Word sum, Word other) {
    if (random_.one_in(3)) return any();
    return make(exponent_of(sum) + 127 - exponent_of(other) + random_.below(55) - 27, fraction());
  }

 private:
  static Word exponent_of(Word number) { return number >> 23 & 0xff; }
  Word make(Word exponent, Word bits) {
    return random_.below(2) << 31 | (exponent & 0xff) << 23 | bits;
  }
  // Any bits, or few ones, or few zeros: ties and carries.
  Word fraction() {
    switch (random_.below(4)) {
      case 0: return (1u << random_.below(23)) ^ (1u << random_.below(23));
      case 1: return 0x7fffffu ^ (1u << random_.below(23));
      default: return random_.word() & 0x7fffffu;
    }
  }

  test_support::Random random_;
};

using Unary = Word (*)(Word);
using Binary = Word (*)(Word, Word);
using Ternary = Word (*)(Word, Word, Word);

void expect_same(Word expected, Word actual, std::string_view operands) {
  ASSERT_EQ(expected, actual) << fmt::format("{}: {:#010x}, not {:#010x}", operands, expected,
                                             actual);
}

void compare(Unary reference, Unary function) {
  for (const Word a : kSpecial) expect_same(reference(a), function(a), fmt::format("{:#010x}", a));
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
  for (const Word a : kSpecial) {
    for (const Word b : kSpecial) compare_at(reference, function, a, b);
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
  for (const Word a : kSpecial) {
    for (const Word b : kSpecial) {
      for (const Word c : kSpecial) compare_at(reference, function, a, b, c);
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
