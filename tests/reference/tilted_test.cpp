// Do waves in tilted media go at the speeds of Christoffel's equation, keep their energy, and may
// source and receiver change places? Asked of the plain C++, in double; staggered_test.sh shows
// that the machine computes the same.
#include "tests/reference/tilted_cube.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace {

using namespace wse::reference;

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// ---- plane waves

enum class Kind { kP, kSv, kSh };

// A plane wave along n: its speed, how particles move, and of acoustic waves the parts across the
// axis and along it.
struct Plane {
  Vector3 n{};
  double speed = 0;
  Vector3 motion{};
  Vector3 across{};
  Vector3 along{};
};

// Returns the larger or the smaller root of a symmetric matrix of two rows, and its vector.
std::array<double, 3> root_of(double a, double b, double d, bool is_large) {
  const double middle = (a + d) / 2;
  const double apart = std::hypot((a - d) / 2, b);
  const double root = is_large ? middle + apart : middle - apart;
  const double length = std::hypot(b, root - a);
  return {root, b / length, (root - a) / length};
}

// Solves Christoffel's equation in the plane of n and the axis, where it has two rows (Thomsen
// 1986); waves across the plane are known at once.
Plane plane_along(const Vector3& n, Kind kind, bool is_acoustic) {
  const Vector3 axis = wse::reference::tilted_axis(kTheta, kPhi);
  const double c = dot(n, axis);
  const double s = std::sqrt(1 - c * c);
  Vector3 beside{};
  for (std::size_t k = 0; k < 3; ++k) beside[k] = (n[k] - c * axis[k]) / s;
  Plane plane{.n = n, .speed = 0, .motion = {}, .across = {}, .along = {}};
  const double c33 = kDensity * kVp * kVp;
  const double c44 = is_acoustic ? 0 : kDensity * kVs * kVs;
  const double c11 = c33 * (1 + 2 * kEpsilon);
  const double c66 = c44 * (1 + 2 * kGamma);
  const double c13 = std::sqrt(2 * kDelta * c33 * (c33 - c44) + std::pow(c33 - c44, 2)) - c44;
  if (kind == Kind::kSh) {
    plane.speed = std::sqrt((c66 * s * s + c44 * c * c) / kDensity);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const std::size_t m = (k + 2) % 3;
      plane.motion[k] = axis[l] * beside[m] - axis[m] * beside[l];
    }
    return plane;
  }
  const auto [root, first, second] = root_of(c11 * s * s + c44 * c * c, (c13 + c44) * s * c,
                                             c44 * s * s + c33 * c * c, kind == Kind::kP);
  plane.speed = std::sqrt(root / kDensity);
  for (std::size_t k = 0; k < 3; ++k) {
    plane.across[k] = first * beside[k];
    plane.along[k] = second * axis[k];
    plane.motion[k] = plane.across[k] + plane.along[k];
  }
  return plane;
}

// Returns the value of a component where the velocity of particles has the size 1 times `shape`.
double plane_value(const Plane& plane, const std::string& name, double shape) {
  const auto axis_of = [](char letter) { return static_cast<std::size_t>(letter - 'x'); };
  if (name[0] == 'v') return plane.motion[axis_of(name[1])] * shape;
  if (name[0] == 'w') return plane.across[axis_of(name[1])] * shape;
  if (name[0] == 'u') return plane.along[axis_of(name[1])] * shape;
  if (name[0] != 's') return 0;
  if (name == "sh" || name == "sv") {
    const double both = std::sqrt(1 + 2 * kDelta);
    const double across = dot(plane.n, plane.across);
    const double along = dot(plane.n, plane.along);
    const double strain =
        name == "sh" ? (1 + 2 * kEpsilon) * across + both * along : both * across + along;
    return -kDensity * kVp * kVp * strain / plane.speed * shape;
  }
  static const auto c =
      wse::reference::tilted_stiffness(kDensity, kVp, kVs, kEpsilon, kDelta, kGamma, kTheta, kPhi);
  const std::size_t k = axis_of(name[1]);
  const std::size_t l = axis_of(name[2]);
  const auto& row = c[k == l ? k : 6 - k - l];
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b)
      sum += row[a == b ? a : 6 - a - b] * plane.n[a] * plane.motion[b];
  }
  return -sum / plane.speed * shape;
}

bool is_velocity(const std::string& name) {
  return name[0] == 'v' || name[0] == 'w' || name[0] == 'u';
}

// Returns how far the values in the middle of a cube are off the plane wave that it began with, of
// the largest value of each component, after `steps` steps of the usual length, each `finer` times
// shorter; length: of the wave, in cells.
double off_plane_wave(Tilted kind, const Plane& plane, double length, int finer) {
  constexpr std::uint64_t kSide = 24;
  constexpr std::uint64_t kSteps = 10;
  TiltedOptions options = cube(kSide, kind, kSteps * static_cast<std::uint64_t>(finer));
  auto& grid = options.model.grid;
  grid.dt /= finer;
  grid.has_source = false;
  const auto shape = [&](const Vector3& place, double time) {
    return std::sin(2 * std::numbers::pi * (dot(plane.n, place) - plane.speed * time / grid.dx) /
                    length);
  };
  options.initial = [&](const std::string& name, const Vector3& place) {
    return plane_value(plane, name, shape(place, is_velocity(name) ? -grid.dt / 2 : 0));
  };
  const TiltedWaves result = tilted<double>(options);
  const double end = static_cast<double>(grid.steps) * grid.dt;
  double worst = 0;
  for (const auto& [field, cells] : result.cells) {
    if (field[0] == 'e' || field[0] == 'q') continue;
    const std::string name = field.substr(0, field.find('_'));
    const double most = std::fabs(plane_value(plane, name, 1));
    const double unit = is_velocity(name) ? 1 : kDensity * plane.speed;
    const auto half = result.positions.at(field);
    for (std::uint64_t x = kSide / 2 - 1; x < kSide / 2 + 1; ++x) {
      for (std::uint64_t y = kSide / 2 - 1; y < kSide / 2 + 1; ++y) {
        for (std::uint64_t z = kSide / 2 - 1; z < kSide / 2 + 1; ++z) {
          const Vector3 place{static_cast<double>(x) + half[0] / 2.0,
                              static_cast<double>(y) + half[1] / 2.0,
                              static_cast<double>(z) + half[2] / 2.0};
          const double wanted =
              plane_value(plane, name, shape(place, is_velocity(name) ? end - grid.dt / 2 : end));
          const double given = cells[(y * kSide + x) * kSide + z];
          worst = std::fmax(worst, std::fabs(given - wanted) / std::fmax(most, unit));
        }
      }
    }
  }
  return worst;
}

const Vector3 kDirections[] = {{1, 0, 0}, {0, 0.6, 0.8}, {2.0 / 3, -1.0 / 3, 2.0 / 3}};

// Steps that are twice as short leave a quarter of the distance, since it is that of the time step:
// derivatives of order 8 leave less. A speed that is 2 % off is noticed.
void expect_speed(Tilted kind, const Plane& plane) {
  constexpr double kLength = 10;
  const double off = off_plane_wave(kind, plane, kLength, 1);
  const double finer = off_plane_wave(kind, plane, kLength, 2);
  EXPECT_LT(off, 0.02);
  EXPECT_NEAR(off / finer, 4, 0.4) << off << ' ' << finer;
  Plane other = plane;
  other.speed *= 1.02;
  EXPECT_GT(off_plane_wave(kind, other, kLength, 1), 1.5 * off) << "another speed must be noticed";
}

TEST(TiltedWaves, AcousticOnesGoAtTheirSpeeds) {
  for (const Vector3& n : kDirections)
    expect_speed(Tilted::kAcoustic, plane_along(n, Kind::kP, true));
}

TEST(TiltedWaves, ElasticOnesGoAtTheirSpeeds) {
  expect_speed(Tilted::kElastic, plane_along(kDirections[0], Kind::kP, false));
  expect_speed(Tilted::kElastic, plane_along(kDirections[1], Kind::kSv, false));
  expect_speed(Tilted::kElastic, plane_along(kDirections[2], Kind::kSh, false));
}

// Means of four cells are of order 2: a wave twice as long is a quarter as far off, per length.
TEST(TiltedWaves, ApproximateOnesComeNearThemWithTheSquareOfTheLength) {
  for (const Vector3& n : kDirections) {
    const Plane plane = plane_along(n, Kind::kP, false);
    const double off = off_plane_wave(Tilted::kApproximate, plane, 12, 3);
    const double longer = off_plane_wave(Tilted::kApproximate, plane, 24, 3);
    EXPECT_LT(off, 0.08);
    EXPECT_GT(off / longer, 3) << off << ' ' << longer;
  }
}

// ---- energy

// Returns by how much the energy of a box without layers changes, of its first value.
double change_of_energy(Tilted kind, bool has_surface) {
  TiltedOptions options = cube(9, kind, 120);
  options.has_surface = has_surface;
  options.model.grid.has_source = false;
  set_layered(options);
  options.initial = [&](const std::string& name, const Vector3& place) {
    if (!is_velocity(name)) return 0.0;
    const double bump = std::exp(
        -(std::pow(place[0] - 4, 2) + std::pow(place[1] - 5, 2) + std::pow(place[2] - 3, 2)) / 4);
    if (name[0] == 'v') return (name[1] - 'w') * bump;
    // Parts across the axis of the cell, and along it.
    const bool is_low = static_cast<std::uint64_t>(place[2]) >= options.model.grid.nz / 2;
    const Vector3 n =
        is_low ? wse::reference::tilted_axis(35, 50) : wse::reference::tilted_axis(70, -20);
    const Vector3 whole{1, -2, 3};
    const auto k = static_cast<std::size_t>(name[1] - 'x');
    const double along = dot(whole, n) * n[k];
    return bump * (name[0] == 'u' ? along : whole[k] - along);
  };
  const std::vector<double> energy = tilted<double>(options, true).energy;
  const auto [low, high] = std::ranges::minmax_element(energy);
  return (*high - *low) / energy.front();
}

TEST(TiltedWaves, ABoxKeepsItsEnergy) {
  for (const Tilted kind : {Tilted::kAcoustic, Tilted::kElastic, Tilted::kApproximate}) {
    EXPECT_LT(change_of_energy(kind, false), 1e-11) << static_cast<int>(kind);
    EXPECT_LT(change_of_energy(kind, true), 1e-11) << static_cast<int>(kind);
  }
}

// ---- sources and receivers

// Returns what a force moves along an axis at a cell, the mean over all parts of a velocity, as the
// force is on all of them.
std::vector<double> moved(const TiltedOptions& options, char force, double amount, const Cell& from,
                          char axis, const Cell& to) {
  std::vector<double> sum;
  const std::string source{'v', force};
  std::vector<std::string> parts;
  if (options.kind == Tilted::kApproximate) {
    parts = {""};
  } else {
    for (const char* part : {"", "_x", "_y", "_z", "_xyz"}) {
      if (part[0] == 0 || part[1] != axis || part[2] != 0) parts.emplace_back(part);
    }
  }
  TiltedOptions own = options;
  auto& grid = own.model.grid;
  grid.source_x = from.x, grid.source_y = from.y, grid.source_z = from.z;
  own.source = {{source, amount}};
  own.model.receivers = {to};
  for (const char letter : std::string(options.kind == Tilted::kAcoustic ? "wu" : "v")) {
    for (const std::string& part : parts) own.recorded.push_back(std::string{letter, axis} + part);
  }
  for (const auto& [name, values] : tilted<double>(own).traces) {
    sum.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) sum[k] += values[k];
  }
  return sum;
}

// A force along one axis moves particles along another as a force along that one moves those along
// the first. A force changes a velocity by its value over the density, in both of two layers; the
// border of layers is beyond the reach of means.
TEST(TiltedWaves, SourceAndReceiverChangePlaces) {
  for (const Tilted kind : {Tilted::kAcoustic, Tilted::kElastic, Tilted::kApproximate}) {
    for (const bool has_surface : {false, true}) {
      TiltedOptions options = cube(11, kind, 60);
      options.has_surface = has_surface;
      set_layered(options);
      const Cell high{3, 6, 2};
      const Cell low{7, 4, 8};
      const auto there = moved(options, 'x', 1 / 1700.0, high, 'z', low);
      const auto back = moved(options, 'z', 1 / 2300.0, low, 'x', high);
      EXPECT_LT(apart(there, back), 1e-10) << static_cast<int>(kind) << has_surface;
    }
  }
}

}  // namespace
