// Do layers absorb waves in tilted media, and do waves stay small in them? Asked of the plain C++,
// in double.
#include <gtest/gtest.h>

#include "tests/reference/tilted_cube.h"

namespace {

using namespace wse::reference;

// Returns what a box with layers sends back, of the largest value without a border in reach.
double comes_back(Tilted kind, std::uint64_t layers) {
  const bool is_acoustic = kind == Tilted::kAcoustic;
  const std::string source = is_acoustic ? "p" : "vz";
  const std::string receiver = is_acoustic ? "sh" : "vz";
  const auto of = [&](std::uint64_t side, std::uint64_t width) {
    TiltedOptions options = cube(side, kind, 95);
    options.epsilon.same = kDelta;  // else slow acoustic waves stay around the source
    options.model.grid.fmax = 50;
    options.model.layers.fill(width);
    const std::uint64_t m = side / 2;
    return trace(options, source, 1, {m, m, m}, receiver, {m + 2, m + 1, m + 1});
  };
  return apart(of(22, layers), of(34, 0));
}

TEST(TiltedLayers, LittleComesBackFromLayers) {
  for (const Tilted kind : {Tilted::kAcoustic, Tilted::kElastic, Tilted::kApproximate}) {
    const double with = comes_back(kind, 8);
    const double without = comes_back(kind, 0);
    EXPECT_LT(with, 1e-2) << static_cast<int>(kind);
    EXPECT_LT(with, without / 4) << static_cast<int>(kind);
    EXPECT_GT(without, 2e-2) << "without layers much must come back, or this test sees nothing";
  }
}

// Returns the largest value in the second half of a run with layers, of that in the first half.
double left_over(Tilted kind, double epsilon) {
  TiltedOptions options = cube(11, kind, 400);
  options.epsilon.same = epsilon;
  options.model.layers.fill(3);
  const bool is_acoustic = kind == Tilted::kAcoustic;
  const auto values =
      trace(options, is_acoustic ? "p" : "vz", 1, {5, 5, 5}, is_acoustic ? "sv" : "vx", {6, 7, 7});
  const auto middle = values.begin() + 200;
  return largest({middle, values.end()}) / largest({values.begin(), middle});
}

TEST(TiltedLayers, LayersDoNotGrow) {
  EXPECT_LT(left_over(Tilted::kElastic, kEpsilon), 2e-2);
  EXPECT_LT(left_over(Tilted::kApproximate, kEpsilon), 2e-2);
  EXPECT_LT(left_over(Tilted::kAcoustic, kDelta), 2e-2);
  EXPECT_LT(left_over(Tilted::kAcoustic, kEpsilon), 2) << "slow waves stay, but do not grow";
}

}  // namespace
