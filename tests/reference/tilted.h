// Waves of first order in transversely isotropic media with a tilted axis, plainly: the yardstick
// of scripts/stencil/minimod.lua with propagator = acoustic_tti, elastic_tti and
// elastic_tti_approx. Shares nothing with the machine or the scripts.
//
// On the Lebedev grid each component of a velocity lies at four points of a cell, half a cell along
// x, y, z or all three, and each component of a stress at four, on the cell or half a cell along
// two axes. All of them have the medium of the cell.
//
//   elastic    v += dt / rho div(s)                      s += dt C e(v)
//   acoustic   w += dt / rho (1 - n n^T) grad(sh)        sh += dt rho vp^2 ((1 + 2 epsilon) div(w)
//   + r div(u))
//              u += dt / rho n n^T grad(sv)              sv += dt rho vp^2 (r div(w) + div(u)),  r
//              = sqrt(1 + 2 delta)
//
// The approximation has the points of the Yee grid. A normal stress is C e with shear strains as
// means of four; a shear stress is the mean of its own stiffness times its strain, and the mean of
// what the other strains make on four cells.
//
// With a free surface stresses across the plane z = 0 are odd about it and velocities even; those
// that lie on it are 0, and so are, of the approximation, means across it.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/reference/staggered.h"

namespace wse::reference {

enum class Tilted { kAcoustic, kElastic, kApproximate };

// A value of a medium: that of each cell, as velocities of a model lie, or the same everywhere.
struct MediumValues {
  double same = 0;
  std::vector<float> cells{};
};

struct TiltedOptions {
  ModellingOptions model{};  // grid, layers, vp along the axis, source and receivers
  Tilted kind = Tilted::kElastic;
  bool has_surface = false;
  MediumValues density{2000, {}};  // kg/m^3
  MediumValues shear{1000, {}};    // m/s along the axis
  MediumValues epsilon{0.2, {}};   // of Thomsen (1986), and delta and gamma
  MediumValues delta{0.1, {}};
  MediumValues gamma{0.1, {}};
  MediumValues theta{30, {}};  // degrees from z, and phi from x
  MediumValues phi{30, {}};
  // A shot adds the source's value times this number to "sxx", "vz", ..., of acoustic waves "p" or
  // a velocity; on all points of a cell.
  std::map<std::string, double> source{};
  std::vector<std::string> recorded{};  // names of fields, "vz", "vz_x", "sxy_0", ...
  // The value of a component at the beginning, "vx", "sxy", "sh", "wx", at x, y, z in cells;
  // velocities are those of t = -dt / 2.
  std::function<double(const std::string&, const std::array<double, 3>&)> initial{};
};

struct TiltedWaves {
  std::map<std::string, std::vector<double>>
      cells;  // the last values of each field, as velocities of a model lie
  std::map<std::string, std::array<int, 3>>
      positions;  // of each field in its cell, in halves of a cell
  std::map<std::string, std::vector<double>>
      traces;                  // of each recorded field, receiver by receiver
  std::vector<double> energy;  // of each step, where it is asked for
};

using Vector3 = std::array<double, 3>;
using Stiffness = std::array<std::array<double, 6>, 6>;

// Returns the axis of angles in degrees.
Vector3 tilted_axis(double theta, double phi);

// Returns the stiffnesses in Pa, xx, yy, zz, yz, xz, xy with twice the shear strains: those of a
// vertical axis, turned as a tensor.
Stiffness tilted_stiffness(double density, double vp, double vs, double epsilon, double delta,
                           double gamma, double theta, double phi);

// Runs all steps; Real is what every operation is rounded to. with_energy: computes the energy that
// leapfrog keeps, of a run that begins without stresses: (v(t - dt/2) rho v(t + dt/2) + s e) / 2,
// in units of a cell; of values on a free surface half.
template <class Real>
TiltedWaves tilted(const TiltedOptions& options, bool with_energy = false);

}  // namespace wse::reference
