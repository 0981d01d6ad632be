// The wave equation, cell by cell.
#include "tests/reference/acoustic.h"

#include <cmath>

namespace wse::reference {

double stable_dt(const AcousticOptions& options) {
  double radius = std::fabs(kWeights[0]);
  for (std::uint64_t m = 1; m <= kReach; ++m) radius += 2 * std::fabs(kWeights[m]);
  const double sum =
      1 / (options.dx * options.dx) + 1 / (options.dy * options.dy) + 1 / (options.dz * options.dz);
  return 2 / (options.velocity * std::sqrt(radius * sum));
}

double source_value(const AcousticOptions& options, std::uint64_t step) {
  constexpr double kScale = 8;
  const double sigma = 0.6 * options.fmax;
  const double shift = sigma * static_cast<double>(step) * options.dt - 1;
  const double q = shift * shift;
  return -2 * kScale * sigma * (sigma - 2 * sigma * kScale * q) * std::exp(-kScale * q);
}

template <class Real>
Coefficients<Real>::Coefficients(const AcousticOptions& options) {
  const double scale = options.dt * options.velocity * options.dt * options.velocity;
  const double by_x = scale / (options.dx * options.dx);
  const double by_y = scale / (options.dy * options.dy);
  const double by_z = scale / (options.dz * options.dz);
  centre = static_cast<Real>(2 + (by_x + by_y + by_z) * kWeights[0]);
  for (std::uint64_t m = 0; m < kReach; ++m) {
    x[m] = static_cast<Real>(by_x * kWeights[m + 1]);
    y[m] = static_cast<Real>(by_y * kWeights[m + 1]);
    z[m] = static_cast<Real>(by_z * kWeights[m + 1]);
  }
}

template <class Real>
void step_plainly(const AcousticOptions& options, const Coefficients<Real>& coefficients,
                  const Field<Real>& now, Field<Real>& before) {
  const Real* u = now.cells.data();
  for (std::uint64_t y = 0; y < options.ny; ++y) {
    for (std::uint64_t x = 0; x < options.nx; ++x) {
      for (std::uint64_t z = 0; z < options.nz; ++z) {
        const std::size_t cell = now.at(x, y, z);
        Real sum = coefficients.centre * u[cell];
        for (std::uint64_t m = 1; m <= kReach; ++m) {
          sum += coefficients.x[m - 1] * (u[cell + m * now.row] + u[cell - m * now.row]);
          sum += coefficients.y[m - 1] * (u[cell + m * now.plane] + u[cell - m * now.plane]);
          sum += coefficients.z[m - 1] * (u[cell + m] + u[cell - m]);
        }
        before.cells[cell] = sum - before.cells[cell];
      }
    }
  }
}

template struct Coefficients<float>;
template struct Coefficients<double>;
template void step_plainly(const AcousticOptions&, const Coefficients<float>&, const Field<float>&,
                           Field<float>&);
template void step_plainly(const AcousticOptions&, const Coefficients<double>&,
                           const Field<double>&, Field<double>&);

}  // namespace wse::reference
