// Acoustic and elastic waves of first order on the Yee grid, plainly: the yardstick of
// scripts/stencil/minimod.lua with propagator = acoustic_iso and elastic_iso. Shares nothing with
// the machine or the scripts.
//
// Normal stresses and the pressure lie on the cells, velocities half a cell along their axis, shear
// stresses half a cell along both of theirs. In a step velocities move from t - dt/2 to t + dt/2,
// then stresses from t to t + dt:
//
//   v += dt / rho * div(s)          s += dt * (lambda div(v) + mu (grad(v) + grad(v)^T))
//   v += dt / rho * grad(p)         p += dt * rho vp^2 div(v)
//
// All derivatives have order 8. In the layers each is df/dk + psi with psi = b psi + a df/dk, a and
// b those of stretch() in modelling.h at the place of the derivative. Beyond the grid all is 0.
// With a free surface stresses across the plane z = 0 are odd about it and velocities even; on it
// szz and p are 0, and dvz/dz is such that szz stays 0.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/reference/modelling.h"

namespace wse::reference {

enum class Wave { kVx, kVy, kVz, kSxx, kSyy, kSzz, kSyz, kSxz, kSxy, kP };
inline constexpr std::size_t kWaves = 10;

// Returns the field of a name: "vx", "sxy", "p"; kWaves if there is no such.
std::size_t wave_of(const std::string& name);

// Returns where a field lies in its cell, in halves of cells along x, y and z.
std::array<int, 3> position_of(Wave wave);

struct StaggeredOptions {
  ModellingOptions
      model{};  // grid, layers, velocities, source and receivers; its absorber is not asked for
  bool is_elastic = false;
  bool has_surface = false;
  double shear = 1000;    // m/s, without shears
  double density = 2000;  // kg/m^3, without densities
  std::vector<float> shears{};
  std::vector<float> densities{};
  std::array<double, kWaves> source{};  // what a shot adds to each field, times the source's value
  std::vector<Wave> recorded{};
  // The value of a field at the beginning, at x, y, z in cells; velocities are those of t = -dt
  // / 2. May be empty.
  std::function<double(Wave, const std::array<double, 3>&)> initial{};
};

struct Waves {
  std::array<std::vector<double>, kWaves> cells;  // the last values, as velocities of a model lie
  std::vector<std::vector<double>>
      traces;                  // for each recorded field and receiver the value after each step
  std::vector<double> energy;  // of each step, where it is asked for
};

// Returns the largest dt for which no wave grows.
double staggered_stable_dt(const AcousticOptions& options);

// Runs all steps; Real is what every operation is rounded to. with_energy: computes the energy that
// leapfrog keeps, (v(t - dt/2) rho v(t + dt/2) + s S s) / 2, in units of a cell; of the cells on a
// free surface half.
template <class Real>
Waves staggered(const StaggeredOptions& options, bool with_energy = false);

}  // namespace wse::reference
