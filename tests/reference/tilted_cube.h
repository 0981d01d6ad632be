// A cube of a tilted medium, and what its tests share: two layers, a trace, distances.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tests/reference/tilted.h"

namespace wse::reference {

inline constexpr double kVp = 2600, kVs = 1500, kDensity = 2300;
inline constexpr double kEpsilon = 0.24, kDelta = 0.1, kGamma = 0.15, kTheta = 35, kPhi = 50;
inline constexpr double kFastest = 3300;  // m/s

inline TiltedOptions cube(std::uint64_t side, Tilted kind, std::uint64_t steps) {
  TiltedOptions options;
  auto& grid = options.model.grid;
  grid.nx = grid.ny = grid.nz = side;
  grid.steps = steps;
  grid.velocity = kFastest;
  options.model.velocity = kVp;
  options.shear.same = kVs, options.density.same = kDensity;
  options.epsilon.same = kEpsilon, options.delta.same = kDelta, options.gamma.same = kGamma;
  options.theta.same = kTheta, options.phi.same = kPhi;
  options.kind = kind;
  grid.dt = kCfl * staggered_stable_dt(grid);
  return options;
}

// Two layers with other velocities, densities and axes.
inline void set_layered(TiltedOptions& options) {
  const auto& grid = options.model.grid;
  for (std::uint64_t k = 0; k < grid.nx * grid.ny * grid.nz; ++k) {
    const bool is_low = k % grid.nz >= grid.nz / 2;
    options.model.velocities.push_back(is_low ? 2600 : 1800);
    options.shear.cells.push_back(is_low ? 1500 : 900);
    options.density.cells.push_back(is_low ? 2300 : 1700);
    options.theta.cells.push_back(is_low ? 35 : 70);
    options.phi.cells.push_back(is_low ? 50 : -20);
  }
}

inline std::vector<double> trace(TiltedOptions options, const std::string& source, double amount,
                                 const Cell& from, const std::string& receiver, const Cell& to) {
  auto& grid = options.model.grid;
  grid.source_x = from.x, grid.source_y = from.y, grid.source_z = from.z;
  options.source = {{source, amount}};
  options.recorded = {receiver};
  options.model.receivers = {to};
  return tilted<double>(options).traces.at(receiver);
}

inline double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::fmax(most, std::fabs(value));
  return most;
}

inline double apart(const std::vector<double>& one, const std::vector<double>& other) {
  double most = 0;
  for (std::size_t k = 0; k < one.size(); ++k) most = std::fmax(most, std::fabs(one[k] - other[k]));
  return most / largest(other);
}

}  // namespace wse::reference
