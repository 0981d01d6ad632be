// Do the layers absorb, and may source and receiver change places? Asked of the plain C++, in
// double and in three dimensions; modelling_test.sh shows that the machine computes the same.
#include "tests/reference/modelling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using wse::reference::Absorber;
using wse::reference::Cell;
using wse::reference::ModellingOptions;

// Options of a cube with layers of that width on all sides, for waves of at most vmax m/s.
ModellingOptions cube(std::uint64_t side, std::uint64_t layers, double vmax, std::uint64_t steps) {
  ModellingOptions options;
  options.grid.nx = options.grid.ny = options.grid.nz = side;
  options.grid.steps = steps;
  options.grid.velocity = options.velocity = vmax;
  options.grid.dt = wse::reference::kCfl * wse::reference::stable_dt(options.grid);
  options.layers.fill(layers);
  return options;
}

std::vector<double> traces(ModellingOptions options, const Cell& source,
                           const std::vector<Cell>& receivers) {
  options.grid.source_x = source.x, options.grid.source_y = source.y;
  options.grid.source_z = source.z;
  options.receivers = receivers;
  return wse::reference::model<double>(options).traces;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::fmax(most, std::fabs(value));
  return most;
}

// Returns the largest difference of two sets of traces of so many steps, each over the peak of its
// receiver.
double off_peaks(const std::vector<double>& given, const std::vector<double>& open,
                 std::uint64_t steps) {
  double most = 0;
  for (std::size_t first = 0; first < open.size(); first += steps) {
    double peak = 0;
    double off = 0;
    for (std::size_t k = first; k < first + steps; ++k) {
      peak = std::fmax(peak, std::fabs(open[k]));
      off = std::fmax(off, std::fabs(given[k] - open[k]));
    }
    most = std::fmax(most, off / peak);
  }
  return most;
}

// A wave goes 0.36 cells in a step. In 170 steps one that the outermost cells of the box had
// reflected would be back; those of the larger box, without layers, are not.
TEST(ModelledLayers, LittleOfAPulseComesBackIntoABoxOf60Cells) {
  constexpr std::uint64_t kSteps = 170;
  const auto of = [](std::uint64_t side, std::uint64_t layers,
                     Absorber absorber = Absorber::kMinimod) {
    const std::uint64_t m = side / 2;
    ModellingOptions options = cube(side, layers, 2000, kSteps);
    options.absorber = absorber;
    return traces(options, {m, m, m}, {{m, m, m}, {m + 8, m, m}, {m + 6, m + 6, m + 6}});
  };
  const std::vector<double> open = of(76, 0);
  const double peak = largest(open);
  const auto back = [&](const std::vector<double>& given) {
    double most = 0;
    for (std::size_t k = 0; k < open.size(); ++k)
      most = std::fmax(most, std::fabs(given[k] - open[k]));
    return most / peak;
  };
  const std::vector<double> by_minimod = of(60, 20);
  EXPECT_LT(back(by_minimod), 3e-4);
  EXPECT_GT(back(of(60, 0)), 3e-3)
      << "without layers much must come back, or this test sees nothing";
  // Away from the source the pulse is 20 times lower, and what comes back is not.
  const double off = off_peaks(by_minimod, open, kSteps);
  EXPECT_GT(off, 1e-3);
  EXPECT_LT(off, 3e-3);
  EXPECT_LT(off_peaks(of(60, 20, Absorber::kCpml), open, kSteps), 1e-4);
}

// In layers of 3 cells Minimod's waves double in 22 steps.
TEST(ModelledLayers, StretchedOnesDoNotGrow) {
  const auto late_over_early = [](Absorber absorber) {
    ModellingOptions options = cube(14, 3, 2000, 800);
    options.absorber = absorber;
    const std::vector<double> trace = traces(options, {7, 7, 7}, {{9, 9, 9}});
    const auto middle = trace.begin() + 400;
    return largest({middle, trace.end()}) / largest({trace.begin(), middle});
  };
  EXPECT_LT(late_over_early(Absorber::kCpml), 1e-3);
  EXPECT_GT(late_over_early(Absorber::kMinimod), 10);
}

// u(A -> B) v(A)^2 = u(B -> A) v(B)^2. The equations of the layers are symmetric: with s = d/dt +
// eta they say s p / v^2 = div(grad(p) / s), and s is d/dt at a source and a receiver outside of
// the layers. Their differences are not symmetric, since those of laplacian and gradients have
// different orders: about a hundredth of what the layers send back is off.
TEST(ModelledLayers, SourceAndReceiverChangePlaces) {
  constexpr std::uint64_t kInner = 12;
  const auto asymmetry = [](std::uint64_t layers) {
    ModellingOptions options = cube(kInner + 2 * layers, layers, 3000, 100);
    const std::uint64_t side = options.grid.nz;
    const auto velocity = [&](std::uint64_t z) { return z < side / 2 ? 1500.0 : 3000.0; };
    for (std::uint64_t k = 0; k < side * side * side; ++k) {
      options.velocities.push_back(static_cast<float>(velocity(k % side)));
    }
    const Cell a{layers + 1, layers + 7, layers + 1};
    const Cell b{layers + 10, layers + 5, layers + 10};
    const std::vector<double> there = traces(options, a, {b});
    const std::vector<double> back = traces(options, b, {a});
    const double scale = std::pow(velocity(a.z) / velocity(b.z), 2);
    double off = 0;
    for (std::size_t k = 0; k < there.size(); ++k) {
      off = std::fmax(off, std::fabs(scale * there[k] - back[k]));
    }
    return off / largest(back);
  };
  EXPECT_LT(asymmetry(0), 1e-12);
  EXPECT_LT(asymmetry(6), 1e-3);
  EXPECT_LT(asymmetry(14), 1e-4);
}

// A wave goes 0.161 cells in a step where the velocity is 2000 and vmax 4500, so 16 in 100 steps:
// neither the layers of 60^3 cells, 18 cells from the source, nor the border of 44^3, 17 cells
// away, have been reached.
TEST(ModelledLayers, AGridWhoseBorderNoWaveReachesHasTheSameExtremes) {
  const auto of = [](std::uint64_t side, std::uint64_t layers) {
    ModellingOptions options = cube(side, layers, 4500, 100);
    options.velocity = 2000;
    options.grid.source_x = options.grid.source_y = options.grid.source_z = side / 2 + 4;
    return wse::reference::model<double>(options).cells;
  };
  const std::vector<double> whole = of(60, 8);
  const std::vector<double> small = of(44, 0);
  const auto [low, high] = std::ranges::minmax_element(whole);
  const auto [small_low, small_high] = std::ranges::minmax_element(small);
  EXPECT_NEAR(*small_low / *low, 1, 1e-6);
  EXPECT_NEAR(*small_high / *high, 1, 1e-6);
}

}  // namespace
