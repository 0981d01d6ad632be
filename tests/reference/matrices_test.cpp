// programs/cholesky and programs/spmv-grid: matrices that are spread over a grid, against plain
// loops in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "tests/reference/words.h"
#include "tests/support/tolerances.h"

namespace wse::test_reference {
namespace {

using test_support::simulate_program;
using test_support::Simulation;
using test_support::Values;

using Matrix = std::vector<std::vector<double>>;

// Symmetric, with a diagonal that makes it positive definite.
Matrix some_matrix(std::uint32_t n) {
  Matrix a(n, std::vector<double>(n));
  for (std::uint32_t row = 0; row < n; ++row) {
    for (std::uint32_t column = 0; column <= row; ++column) {
      const double value = (row * 7 + column * 5 + row * column) % 11 / 8.0 - 0.5;
      a[row][column] = a[column][row] = row == column ? n + value : value;
    }
  }
  return a;
}

// L of A = L L^T, row by row, as a textbook has it.
Matrix cholesky(const Matrix& a) {
  const std::size_t n = a.size();
  Matrix l(n, std::vector<double>(n));
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double rest = a[row][column];
      for (std::size_t k = 0; k < column; ++k) rest -= l[row][k] * l[column][k];
      l[row][column] = row == column ? std::sqrt(rest) : rest / l[column][column];
    }
  }
  return l;
}

class Cholesky : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Cholesky, EveryElementIsRight) {
  const std::uint32_t p = GetParam();
  const Matrix a = some_matrix(p);
  const Matrix l = cholesky(a);
  std::vector<std::uint32_t> words;
  for (const std::vector<double>& row : a) {
    for (const double value : row) words.push_back(word(value));
  }
  for (const char* machine : kMachines) {
    const Simulation run = simulate_program(
        "cholesky",
        {.values = {{"P", std::to_string(p)}}, .profile = machine, .arrays = {{"a", words}}});
    ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
    for (std::uint32_t row = 0; row < p; ++row) {
      for (std::uint32_t column = 0; column <= row; ++column) {
        EXPECT_NEAR(floats(run.words(column, row, "a"))[0], l[row][column],
                    test_support::kCholeskyTolerance)
            << machine << " " << row << ", " << column;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Cholesky, testing::Values(1u, 2u, 3u, 8u, 17u));

struct Tiles {
  std::uint32_t w = 4, h = 3, m = 10, n = 12, k = 4;

  Values values() const {
    return {{"W", std::to_string(w)},
            {"H", std::to_string(h)},
            {"M", std::to_string(m)},
            {"N", std::to_string(n)},
            {"K", std::to_string(k)}};
  }
};

void PrintTo(const Tiles& tiles, std::ostream* out) {
  *out << tiles.w << " x " << tiles.h << " tiles";
}

class SparseProduct : public testing::TestWithParam<Tiles> {};

// y of a row of tiles from their arrays, element by element.
std::vector<double> product(const Simulation& run, const Tiles& tiles, std::uint32_t tile_row) {
  std::vector<double> y(tiles.m);
  for (std::uint32_t tile = 0; tile < tiles.w; ++tile) {
    const std::vector<double> x = floats(run.words(tile, 0, "x"));
    const std::vector<double> values = floats(run.words(tile, tile_row, "values"));
    const std::vector<std::uint32_t> columns = run.words(tile, tile_row, "columns");
    for (std::uint32_t k = 0; k < tiles.k * tiles.m; ++k) {
      y[k % tiles.m] += values[k] * x.at(columns[k]);
    }
  }
  return y;
}

TEST_P(SparseProduct, EveryRowIsRight) {
  const Tiles& tiles = GetParam();
  for (const char* machine : kMachines) {
    const Simulation run =
        simulate_program("spmv-grid", {.values = tiles.values(), .profile = machine});
    ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
    EXPECT_EQ(run.failed_expectations, std::vector<std::string>());
    double largest = 0;
    for (std::uint32_t row = 0; row < tiles.h; ++row) {
      const std::vector<double> y = product(run, tiles, row);
      EXPECT_EQ(floats(run.words(0, row, "y")), y) << machine;  // small integers: exact in f32
      largest = std::max(largest, *std::ranges::max_element(y));
    }
    EXPECT_GT(largest, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, SparseProduct,
                         testing::Values(Tiles{}, Tiles{2, 2, 1, 1, 1}, Tiles{5, 1, 7, 5, 3},
                                         Tiles{3, 6, 33, 20, 7}));

}  // namespace
}  // namespace wse::test_reference
