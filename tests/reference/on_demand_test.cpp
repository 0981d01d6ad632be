// Programs that do what comes, in whatever order: programs/router, k-means and mandelbrot, against
// the same in plain code.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <ostream>

#include "tests/reference/words.h"
#include "tests/support/tolerances.h"

namespace wse::test_reference {
namespace {

using test_support::simulate_program;
using test_support::Simulation;
using test_support::Values;

struct Traffic {
  std::uint32_t w = 4, h = 4, b = 4, messages = 6;

  Values values() const {
    return {{"W", std::to_string(w)},
            {"H", std::to_string(h)},
            {"B", std::to_string(b)},
            {"MESSAGES", std::to_string(messages)}};
  }
};

void PrintTo(const Traffic& traffic, std::ostream* out) {
  *out << traffic.w << " x " << traffic.h << " PEs";
}

// What each PE is to get, by the targets of all.
struct Mail {
  std::vector<std::uint32_t> received;
  std::vector<std::vector<std::uint32_t>> sums;
};

Mail expected_mail(const Traffic& traffic, const std::vector<std::uint32_t>& targets) {
  const std::uint32_t pes = traffic.w * traffic.h;
  Mail mail{std::vector<std::uint32_t>(pes),
            std::vector(pes, std::vector<std::uint32_t>(traffic.b + 1))};
  for (std::uint32_t message = 0; message < pes * traffic.messages; ++message) {
    const std::uint32_t header = targets[message];
    const std::uint32_t target = (header >> 16) * traffic.w + (header & 0xffff);
    const std::uint32_t first = message % traffic.messages * traffic.b;
    ++mail.received[target];
    mail.sums[target][0] += header;
    for (std::uint32_t k = 0; k < traffic.b; ++k) {
      mail.sums[target][k + 1] += 1000 * (message / traffic.messages) + first + k;
    }
  }
  return mail;
}

void expect_mail(const Simulation& run, const Traffic& traffic, const Mail& mail) {
  EXPECT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
  EXPECT_EQ(run.record.wavelets_left, 0u);
  for (std::uint32_t pe = 0; pe < traffic.w * traffic.h; ++pe) {
    EXPECT_EQ(run.words(pe % traffic.w, pe / traffic.w, "received")[0], mail.received[pe]) << pe;
    EXPECT_EQ(run.words(pe % traffic.w, pe / traffic.w, "y"), mail.sums[pe]) << pe;
  }
}

class Router : public testing::TestWithParam<Traffic> {};

std::vector<std::uint32_t> own_targets(const Simulation& run, const Traffic& traffic) {
  std::vector<std::uint32_t> targets;
  for (std::uint32_t pe = 0; pe < traffic.w * traffic.h; ++pe) {
    const auto words = run.words(pe % traffic.w, pe / traffic.w, "targets");
    targets.insert(targets.end(), words.begin(), words.end());
  }
  return targets;
}

TEST_P(Router, EveryMessageArrivesOnce) {
  const Traffic& traffic = GetParam();
  for (const char* machine : kMachines) {
    SCOPED_TRACE(machine);
    const Simulation run =
        simulate_program("router", {.values = traffic.values(), .profile = machine});
    expect_mail(run, traffic, expected_mail(traffic, own_targets(run, traffic)));
  }
}

// Patterns that press: all to one PE, everybody across the middle of the grid, and many random
// ones.
TEST_P(Router, EveryMessageArrivesOnceUnderPressure) {
  const Traffic& traffic = GetParam();
  const std::uint32_t pes = traffic.w * traffic.h;
  std::uint32_t random = 12345;
  for (int pattern = 0; pattern < 12; ++pattern) {
    SCOPED_TRACE(pattern);
    std::vector<std::uint32_t> targets;
    for (std::uint32_t message = 0; message < pes * traffic.messages; ++message) {
      const std::uint32_t pe = message / traffic.messages;
      random = random * 1664525 + 1013904223;
      std::uint32_t target = (random >> 8) % pes;
      if (pattern == 0) target = pes / 2;
      if (pattern == 1) target = pes - 1 - pe;
      targets.push_back(target / traffic.w << 16 | target % traffic.w);
    }
    const Simulation run = simulate_program("router", {.values = traffic.values(),
                                                       .profile = kMachines[pattern % 3],
                                                       .arrays = {{"targets", targets}}});
    expect_mail(run, traffic, expected_mail(traffic, targets));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Router,
                         testing::Values(Traffic{}, Traffic{1, 1, 3, 2}, Traffic{1, 6, 2, 9},
                                         Traffic{7, 1, 1, 9}, Traffic{5, 7, 11, 8}));

struct Clusters {
  std::vector<double> x, y;
  std::vector<std::int32_t> nearest;
  std::int32_t turns = 0;
};

std::int32_t nearest_of(const Clusters& clusters, double x, double y) {
  double least = std::numeric_limits<double>::infinity();
  std::int32_t nearest = 0;
  for (std::size_t k = 0; k < clusters.x.size(); ++k) {
    const double distance = std::pow(x - clusters.x[k], 2) + std::pow(y - clusters.y[k], 2);
    if (distance < least) {
      least = distance;
      nearest = static_cast<std::int32_t>(k);
    }
  }
  return nearest;
}

// Lloyd's algorithm from the same centres, in double precision, until no point changes its cluster.
Clusters lloyd(const std::vector<double>& x, const std::vector<double>& y, Clusters clusters) {
  const std::size_t k = clusters.x.size();
  for (clusters.turns = 1;; ++clusters.turns) {
    std::vector<std::int32_t> nearest;
    std::vector<double> sum_x(k), sum_y(k), count(k);
    for (std::size_t point = 0; point < x.size(); ++point) {
      nearest.push_back(nearest_of(clusters, x[point], y[point]));
      sum_x[nearest.back()] += x[point];
      sum_y[nearest.back()] += y[point];
      ++count[nearest.back()];
    }
    if (nearest == clusters.nearest) return clusters;
    clusters.nearest = nearest;
    for (std::size_t c = 0; c < k; ++c) {
      if (count[c] == 0) continue;
      clusters.x[c] = sum_x[c] / count[c];
      clusters.y[c] = sum_y[c] / count[c];
    }
  }
}

std::vector<double> half(const std::vector<double>& rows, std::size_t which) {
  const std::size_t n = rows.size() / 2;
  return {rows.begin() + which * n, rows.begin() + (which + 1) * n};
}

struct Points {
  std::uint32_t w = 4, h = 4, n = 64, k = 4;
};

void PrintTo(const Points& points, std::ostream* out) {
  *out << points.w << " x " << points.h << " PEs";
}

class KMeans : public testing::TestWithParam<Points> {};

TEST_P(KMeans, CentresAndClustersAreThoseOfLloydsAlgorithm) {
  const auto& [w, h, n, k] = GetParam();
  const Values values = {{"W", std::to_string(w)},
                         {"H", std::to_string(h)},
                         {"N", std::to_string(n)},
                         {"K", std::to_string(k)}};
  std::vector<double> x, y;
  const Simulation start = simulate_program("k-means", {.values = values, .max_cycles = 1});
  for (std::uint32_t pe = 0; pe < w * h; ++pe) {
    const std::vector<double> points = floats(start.words(pe % w, pe / w, "x"));
    x.insert(x.end(), points.begin(), points.begin() + n);
    y.insert(y.end(), points.begin() + n, points.end());
  }
  const std::vector<double> guess = floats(start.words(0, 0, "y"));
  const Clusters right = lloyd(x, y, {half(guess, 0), half(guess, 1), {}, 0});
  for (const char* machine : kMachines) {
    const Simulation run = simulate_program("k-means", {.values = values, .profile = machine});
    ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
    for (std::uint32_t pe = 0; pe < w * h; ++pe) {
      const std::vector<double> centres = floats(run.words(pe % w, pe / w, "y"));
      for (std::uint32_t c = 0; c < k; ++c) {
        EXPECT_NEAR(centres[c], right.x[c], test_support::kMeansTolerance) << pe << " " << c;
        EXPECT_NEAR(centres[k + c], right.y[c], test_support::kMeansTolerance) << pe << " " << c;
      }
      EXPECT_EQ(integers(run.words(pe % w, pe / w, "nearest")),
                std::vector(right.nearest.begin() + pe * n, right.nearest.begin() + (pe + 1) * n));
      EXPECT_EQ(integers(run.words(pe % w, pe / w, "turns"))[0], right.turns);
    }
  }
  EXPECT_GT(right.turns, 2);
}

INSTANTIATE_TEST_SUITE_P(Sizes, KMeans,
                         testing::Values(Points{}, Points{1, 1, 40, 2}, Points{5, 3, 17, 3},
                                         Points{2, 6, 30, 8}));

struct Picture {
  std::uint32_t w = 4, h = 4, columns = 64, rows = 64, pixels = 8, limit = 128, steps = 32;
};

void PrintTo(const Picture& picture, std::ostream* out) {
  *out << picture.columns << " x " << picture.rows << " pixels";
}

// In f32, in the order of the program: the picture is the same to the last step.
std::uint32_t steps_of(const Picture& picture, std::uint32_t column, std::uint32_t row) {
  const float c_re =
      std::fma(static_cast<float>(column), static_cast<float>(2.5 / picture.columns), -2.0f);
  const float c_im =
      std::fma(static_cast<float>(row), static_cast<float>(2.5 / picture.rows), -1.25f);
  float re = 0, im = 0;
  for (std::uint32_t step = 0; step < picture.limit; ++step) {
    const float re2 = re * re;
    const float im2 = im * im;
    if (re2 + im2 > 4.0f) return step;
    const float both = re * im;
    im = std::fma(both, 2.0f, c_im);
    const float difference = re2 - im2;
    re = difference + c_re;
  }
  return picture.limit;
}

class Mandelbrot : public testing::TestWithParam<Picture> {};

TEST_P(Mandelbrot, EveryPixelIsRightAndComputedOnce) {
  const Picture& picture = GetParam();
  const auto& [w, h, columns, rows, pixels, limit, steps] = picture;
  const Values values = {{"W", std::to_string(w)},
                         {"H", std::to_string(h)},
                         {"COLUMNS", std::to_string(columns)},
                         {"ROWS", std::to_string(rows)},
                         {"PIXELS", std::to_string(pixels)},
                         {"LIMIT", std::to_string(limit)},
                         {"STEPS", std::to_string(steps)}};
  std::vector<std::uint32_t> right;
  for (std::uint32_t k = 0; k < columns * rows; ++k) {
    right.push_back(steps_of(picture, k % columns, k / columns));
  }
  for (const char* machine : kMachines) {
    const Simulation run = simulate_program("mandelbrot", {.values = values, .profile = machine});
    ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
    EXPECT_EQ(run.record.wavelets_left, 0u);
    std::vector<std::uint32_t> found(columns * rows);
    std::uint32_t computed = 0;
    for (std::uint32_t pe = 1; pe < w * h; ++pe) {
      const std::vector<std::uint32_t> part = run.words(pe % w, pe / w, "y");
      for (std::size_t k = 0; k < part.size(); ++k) found[k] += part[k];
      computed += run.words(pe % w, pe / w, "pixels")[0];
    }
    EXPECT_EQ(found, right) << machine;
    EXPECT_EQ(computed, columns * rows) << machine;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Mandelbrot,
                         testing::Values(Picture{}, Picture{2, 1, 16, 9, 4, 64, 16},
                                         Picture{1, 3, 24, 7, 3, 12, 4},
                                         Picture{5, 3, 30, 21, 5, 40, 8}));

// Workers have something to do until the end: all but the server are busy for 97 % of the time.
TEST(Mandelbrot, TheWorkIsBalanced) {
  const Simulation run = simulate_program("mandelbrot", {.profile = "wse2"});
  const double busy = static_cast<double>(run.record.counters.pe_cycles[0]);
  EXPECT_GT(busy, 0.97 * 15 * static_cast<double>(run.record.cycles));
}

}  // namespace
}  // namespace wse::test_reference
