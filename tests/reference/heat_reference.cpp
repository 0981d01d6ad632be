// heat-reference X.npy Y.npy STEPS ALPHA: compares every cell of Y with a double-precision run from
// X.
//
// Prints the largest difference; exit 1 if it exceeds the tolerance of tests/support/tolerances.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "tests/reference/heat_plate.h"
#include "tests/support/tolerances.h"
#include "vm/numpy/npy.h"

namespace {

using wse::reference::Plate;

// [height, width, n] or [height, width] of f32: n cells of each PE below each other.
Plate read_plate(const char* file) {
  wse::isa::InputList inputs;
  const auto array = wse::numpy::read_npy(file, inputs);
  if (!array || array->dtype != "<f4" || array->shape.size() < 2) {
    fmt::print(stderr, "heat-reference: {}: {}\n", file,
               array ? "not an f32 array of two or three dimensions" : array.error().message);
    std::exit(2);
  }
  const std::uint64_t height = array->shape[0];
  const std::uint64_t width = array->shape[1];
  const std::uint64_t n = array->shape.size() > 2 ? array->shape[2] : 1;
  Plate plate{width, height * n, std::vector<double>(width * height * n)};
  for (std::uint64_t k = 0; k < plate.cells.size(); ++k) {
    float value = 0;
    std::memcpy(&value, array->data.data() + k * sizeof value, sizeof value);
    const std::uint64_t pe = k / n;
    plate.cells[(pe / width * n + k % n) * width + pe % width] = static_cast<double>(value);
  }
  return plate;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    fmt::print(stderr, "usage: heat-reference X.npy Y.npy STEPS ALPHA\n");
    return 2;
  }
  const auto alpha = static_cast<double>(std::strtof(arguments[4], nullptr));
  const Plate expected = wse::reference::diffuse(read_plate(arguments[1]),
                                                 std::strtoull(arguments[3], nullptr, 10), alpha);
  const Plate actual = read_plate(arguments[2]);
  if (actual.width != expected.width || actual.height != expected.height) {
    fmt::print(stderr, "heat-reference: the two plates have different sizes\n");
    return 2;
  }
  double largest = 0;
  for (std::size_t k = 0; k < expected.cells.size(); ++k) {
    const double difference = std::fabs(actual.cells[k] - expected.cells[k]);
    if (!(difference <= largest)) largest = difference;  // NaN counts as the largest
  }
  const bool good = largest <= wse::test_support::kHeatTolerance;
  fmt::print("{} cells compared with double precision: largest difference {:.2e}, {} {:.0e}\n",
             expected.cells.size(), largest, good ? "within" : "BEYOND",
             wse::test_support::kHeatTolerance);
  return good ? 0 : 1;
}
