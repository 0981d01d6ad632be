// Functions of math.wsa whose results have no error to measure: quotients, remainders, and numbers
// of the normal distribution.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/library/functions.h"

namespace wse::test_library {
namespace {

using Words = std::vector<std::uint32_t>;

TEST(Integers, QuotientsAndRemainders) {
  const Words x = {7, 0xfffffff9, 7, 0xfffffff9, 0x80000000, 0xffffffff, 0};
  const Words y = {2, 2, 0xfffffffe, 0xfffffffe, 0xffffffff, 10, 5};
  const auto of = [&](const std::string& name) { return compute_integer(name + "32", x, y); };
  EXPECT_EQ(of("div_i"), (Words{3, 0xfffffffd, 0xfffffffd, 3, 0x80000000, 0, 0}));
  EXPECT_EQ(of("rem_i"), (Words{1, 0xffffffff, 1, 0xffffffff, 0, 0xffffffff, 0}));
  EXPECT_EQ(of("div_u"), (Words{3, 0x7ffffffc, 0, 0, 0, 0x19999999, 0}));
  EXPECT_EQ(of("rem_u"), (Words{1, 1, 7, 0xfffffff9, 0x80000000, 5, 0}));
}

TEST(Integers, QuotientsAndRemaindersOf16Bits) {
  const Words x = {7, 0xfff9, 7, 0xfff9, 0x8000, 0xffff, 0};
  const Words y = {2, 2, 0xfffe, 0xfffe, 0xffff, 10, 5};
  const auto of = [&](const std::string& name) { return compute_integer(name + "16", x, y); };
  EXPECT_EQ(of("div_i"), (Words{3, 0xfffd, 0xfffd, 3, 0x8000, 0, 0}));
  EXPECT_EQ(of("rem_i"), (Words{1, 0xffff, 1, 0xffff, 0, 0xffff, 0}));
  EXPECT_EQ(of("div_u"), (Words{3, 0x7ffc, 0, 0, 0, 0x1999, 0}));
  EXPECT_EQ(of("rem_u"), (Words{1, 1, 7, 0xfff9, 0x8000, 5, 0}));
}

// Mean, deviation, and the largest distance of the distribution function from the right one, which
// would be above 1.63 / sqrt(n) for one sample in a hundred. Several PEs would draw the same.
void expect_normal(const Format& format, std::uint32_t three, double step) {
  constexpr std::size_t kDraws = kNumbersPerPe;
  const Words bits = compute("normal", format, Words(kDraws, three));
  std::vector<double> values;
  for (const std::uint32_t word : bits) {
    values.push_back(static_cast<double>(format.value(word)) / 3);
  }
  std::ranges::sort(values);
  double distance = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t k = 0; k < kDraws; ++k) {
    const double right = std::erfc(-values[k] / std::sqrt(2)) / 2;
    distance = std::max(distance, std::fabs(right - (static_cast<double>(k) + 0.5) / kDraws));
    sum += values[k];
    squares += values[k] * values[k];
  }
  EXPECT_LT(distance, 1.63 / std::sqrt(kDraws) + step);
  EXPECT_NEAR(sum / kDraws, 0, 4 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 4 * std::sqrt(2.0 / kDraws));
}

TEST(Normal, F32HasTheRightDistribution) { expect_normal(kF32, 0x40400000, 0); }
TEST(Normal, F16HasTheRightDistribution) { expect_normal(kF16, 0x4200, 1e-3); }

}  // namespace
}  // namespace wse::test_library
