// The acoustic wave equation with constant density, 25 points, eighth order: the yardstick of
// scripts/stencil. Conventions are those of Minimod.
//
// Shares nothing with the machine: cells in one array, surroundings kept at 0. u_new = 2 u -
// u_before
// + (dt v)^2 * laplacian(u), then the source is added as it is. Cells lie as in .npy files of
// scripts: z innermost, then x, then y.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wse::reference {

struct AcousticOptions {
  std::uint64_t nx = 100;
  std::uint64_t ny = 100;
  std::uint64_t nz = 100;
  double dx = 20;
  double dy = 20;
  double dz = 20;
  std::uint64_t steps = 1000;
  double fmax = 25;
  double velocity = 4500;
  double dt = 0;  // 0: the largest stable one times kCfl
  bool has_source = true;
  std::uint64_t source_x = 50;
  std::uint64_t source_y = 50;
  std::uint64_t source_z = 50;
};

inline constexpr double kCfl = 0.8;
inline constexpr std::uint64_t kReach = 4;

// Weights of the second derivative: the centre, then distances 1 to 4.
inline constexpr double kWeights[kReach + 1] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                                -1.0 / 560};

double stable_dt(const AcousticOptions& options);

// What is added to the cell of the source in step n = 0, 1, ...
double source_value(const AcousticOptions& options, std::uint64_t step);

// A field with four cells of 0 around it.
template <class Real>
struct Field {
  explicit Field(const AcousticOptions& options)
      : row(options.nz + 2 * kReach),
        plane(row * (options.nx + 2 * kReach)),
        cells(plane * (options.ny + 2 * kReach)) {}

  std::size_t at(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    return (y + kReach) * plane + (x + kReach) * row + z + kReach;
  }

  std::size_t row = 0;    // cells from x to x + 1
  std::size_t plane = 0;  // from y to y + 1
  std::vector<Real> cells;
};

// Coefficients with the centre of all axes and the 2 of the time step in `centre`.
template <class Real>
struct Coefficients {
  explicit Coefficients(const AcousticOptions& options);

  Real centre = 0;
  Real x[kReach] = {};
  Real y[kReach] = {};
  Real z[kReach] = {};
};

// One time step, plainly: writes the new field over `before`.
template <class Real>
void step_plainly(const AcousticOptions& options, const Coefficients<Real>& coefficients,
                  const Field<Real>& now, Field<Real>& before);

// The same in tiles, on all threads, with vector instructions. Sums are taken in another order.
void step_quickly(const AcousticOptions& options, const Coefficients<float>& coefficients,
                  const Field<float>& now, Field<float>& before);

int quick_threads();  // 0: not built, the compiler has no OpenMP

// GB/s of a = b + s * c over arrays that no cache holds.
double triad_bandwidth();

}  // namespace wse::reference
