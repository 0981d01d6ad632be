// Acoustic modelling in a model of velocities with absorbing layers, plainly: the yardstick of
// scripts/stencil/minimod.lua. Shares nothing with the machine or the scripts.
//
//   u_new   = ((2 eta + 2 - eta^2) u + v^2 dt^2 (laplacian + phi) - u_old) / (1 + 2 eta)
//   phi_new = (phi - sum over axes of (difference of eta) (difference of u) / (4 d^2)) / (1 + eta)
//
// Differences are over two cells, eta is the sum of the axes' profiles (k / n)^2 * dt * 3 vmax
// ln(1000) / (2 n d): k = n - 1 in the outermost of n cells. Beyond the grid u is 0.
//
// Or, with Absorber::kCpml, layers that stretch each axis k by itself, with a and b of its profile:
//
//   psi_new  = b psi + a du/dk
//   zeta_new = b zeta + a h,   h = d2u/dk2 + d(psi_new)/dk
//   u_new    = 2 u - u_old + v^2 dt^2 sum over axes of (h + zeta_new)
//
// All derivatives have order 8. In the layers d = 4 vmax ln(1e5) / (2 n spacing) (k / n)^3,
// s = pi 0.6 fmax (1 - k / n), b = exp(-(d + s) dt), a = d / (d + s) (b - 1); elsewhere a = b = 0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/reference/acoustic.h"

namespace wse::reference {

struct Cell {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint64_t z = 0;
};

enum class Absorber { kMinimod, kCpml };

struct ModellingOptions {
  AcousticOptions grid{};                 // velocity: vmax, which decides dt and the layers
  double velocity = 2000;                 // m/s, without velocities
  std::vector<float> velocities{};        // of each cell, z innermost, then x, then y; may be empty
  std::array<std::uint64_t, 6> layers{};  // x low, x high, y low, ... in cells
  Absorber absorber = Absorber::kMinimod;
  std::uint64_t first_sample = 1;  // the number of the source's first value
  std::vector<Cell> receivers{};
};

struct Modelled {
  std::vector<double> cells;   // the last wavefield, as velocities lie
  std::vector<double> traces;  // for each receiver the value after each step
};

// Runs all steps; Real is what every operation is rounded to.
template <class Real>
Modelled model(const ModellingOptions& options);

// The damping of an axis at a coordinate from -1 to its size.
double damping(const ModellingOptions& options, int axis, std::int64_t at);

// The factors a and b of a stretched axis at a coordinate from 0 to its size, in cells.
struct Stretch {
  double a = 0;
  double b = 0;
};
Stretch stretch(const ModellingOptions& options, int axis, double at);

}  // namespace wse::reference
