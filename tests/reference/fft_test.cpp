// programs/fft: every PE's column of the matrix of the transform, against its elements in double
// precision; programs/fft-vectors and fft-2d: transforms against the sums that define them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <ostream>

#include "tests/reference/words.h"
#include "tests/support/tolerances.h"

namespace {

using namespace wse;
using test_reference::floats;
using test_reference::halves;
using test_reference::kMachines;

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

using Numbers = std::vector<std::complex<double>>;

Numbers transform(const Numbers& v) {
  const std::size_t n = v.size();
  Numbers sums(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      sums[k] += v[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                            static_cast<double>(n));
    }
  }
  return sums;
}

// Real and imaginary parts are the halves of an array.
Numbers complex_numbers(const std::vector<double>& parts) {
  const std::size_t n = parts.size() / 2;
  Numbers numbers;
  for (std::size_t k = 0; k < n; ++k) numbers.emplace_back(parts[k], parts[n + k]);
  return numbers;
}

// The largest difference, of the largest number that is right.
double error(const Numbers& found, const Numbers& right) {
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < right.size(); ++k) {
    worst = std::max(worst, std::abs(found.at(k) - right[k]));
    largest = std::max(largest, std::abs(right[k]));
  }
  return worst / largest;
}

struct Kind {
  std::uint32_t log2_n;
  bool f16;
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << (kind.f16 ? "f16" : "f32") << " of 2^" << kind.log2_n;
}

class FftVectors : public testing::TestWithParam<Kind> {};

TEST_P(FftVectors, EveryNumberIsRight) {
  const auto& [log2_n, f16] = GetParam();
  for (const char* machine : kMachines) {
    const auto run = test_support::simulate_program(
        "fft-vectors",
        {.values = {{"LOG2_N", std::to_string(log2_n)}, {"F16", f16 ? "1" : "0"}, {"P", "3"}},
         .profile = machine});
    ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
    for (std::uint32_t pe = 0; pe < 3; ++pe) {
      const auto numbers = [&](const char* name) {
        const std::vector<std::uint32_t> words = run.words(pe, 0, name);
        return complex_numbers(f16 ? halves(words) : floats(words));
      };
      EXPECT_LT(error(numbers("y"), transform(numbers("x"))),
                f16 ? test_support::kHalfFftTolerance : test_support::kFftTolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, FftVectors,
                         testing::Values(Kind{2, false}, Kind{2, true}, Kind{3, false},
                                         Kind{3, true}, Kind{6, false}, Kind{7, true},
                                         Kind{9, false}, Kind{9, true}));

class Fft2d : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Fft2d, EveryColumnIsRight) {
  const std::uint32_t p = 1u << GetParam();
  const std::uint32_t n = p * p;
  for (const char* machine : kMachines) {
    const auto run = test_support::simulate_program(
        "fft-2d", {.values = {{"LOG2_P", std::to_string(GetParam())}}, .profile = machine});
    ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
    EXPECT_EQ(run.record.wavelets_left, 0u);
    std::vector<Numbers> rows;
    for (std::uint32_t row = 0; row < n; ++row) {
      rows.push_back(transform(complex_numbers(floats(run.words(row % p, row / p, "x")))));
    }
    Numbers right, found;
    for (std::uint32_t c = 0; c < n; ++c) {
      Numbers column;
      for (const Numbers& row : rows) column.push_back(row[c]);
      const Numbers transformed = transform(column);
      right.insert(right.end(), transformed.begin(), transformed.end());
      const Numbers part = complex_numbers(floats(run.words(c % p, c / p, "y")));
      found.insert(found.end(), part.begin(), part.end());
    }
    EXPECT_LT(error(found, right), test_support::kFftTolerance) << machine;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Fft2d, testing::Values(1u, 2u, 3u));

}  // namespace
