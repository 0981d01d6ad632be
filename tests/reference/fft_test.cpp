// programs/fft: every PE's column of the matrix of the transform, against its elements in double
// precision.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/support/simulation.h"

namespace {

using namespace wse;

class Fft : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Fft, EveryColumnIsRight) {
  const std::uint32_t n = GetParam();
  const auto run = test_support::simulate_program("fft", {.values = {{"N", std::to_string(n)}}});
  EXPECT_EQ(run.failed_expectations, std::vector<std::string>());
  double worst = 0;
  for (std::uint32_t column = 0; column < n; ++column) {
    const std::vector<std::uint32_t> re = run.words(column, 0, "re");
    const std::vector<std::uint32_t> im = run.words(column, 0, "im");
    for (std::uint32_t row = 0; row < n; ++row) {
      const double angle = -2 * std::numbers::pi * (column * row % n) / n;
      const std::complex<double> found(std::bit_cast<float>(re[row]),
                                       std::bit_cast<float>(im[row]));
      worst = std::max(worst, std::abs(found - std::polar(1.0, angle)));
    }
  }
  EXPECT_LT(worst, 1e-5);  // of factors by recurrence in f32
}

INSTANTIATE_TEST_SUITE_P(Sizes, Fft, testing::Values(4u, 8u, 16u, 128u));

}  // namespace
