// Modelling, cell by cell.
#include "tests/reference/modelling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wse::reference {
namespace {

constexpr std::int64_t kMargin = kReach;

// Weights of a first derivative of order 8 at distances 1 to 4.
constexpr std::array<double, kReach + 1> kSlopes{0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

// Arrays of a run, with a margin of 0 around them.
template <class Real>
class Run {
 public:
  explicit Run(const ModellingOptions& options) : options_(options) {
    const AcousticOptions& grid = options.grid;
    strides_ = {1, static_cast<std::int64_t>(grid.nx) + 2 * kMargin, 0};
    strides_[2] = strides_[1] * (static_cast<std::int64_t>(grid.ny) + 2 * kMargin);
    const auto count =
        static_cast<std::size_t>(strides_[2] * (static_cast<std::int64_t>(grid.nz) + 2 * kMargin));
    now_.resize(count);
    before_.resize(count);
    if (options.absorber == Absorber::kMinimod) {
      phi_.resize(count);
      next_phi_.resize(count);
    } else {
      for (auto* fields : {&psi_, &zeta_}) fields->fill(std::vector<Real>(count));
    }
    const std::array<double, 3> spacing{grid.dx, grid.dy, grid.dz};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      inverse_square_[axis] = static_cast<Real>(1 / (spacing[axis] * spacing[axis]));
    }
    const std::array<std::uint64_t, 3> sizes{grid.nx, grid.ny, grid.nz};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::int64_t at = -1; at <= static_cast<std::int64_t>(sizes[axis]); ++at) {
        damping_[axis].push_back(damping(options, static_cast<int>(axis), at));
        stretch_[axis].push_back(stretch(options, static_cast<int>(axis), static_cast<double>(at)));
      }
    }
  }

  Modelled all_steps() {
    const AcousticOptions& grid = options_.grid;
    Modelled result;
    result.traces.resize(options_.receivers.size() * grid.steps);
    for (std::uint64_t n = 0; n < grid.steps; ++n) {
      if (options_.absorber == Absorber::kMinimod) {
        step();
      } else {
        stretched_step();
      }
      std::swap(now_, before_);
      std::swap(phi_, next_phi_);
      now_[at({grid.source_x, grid.source_y, grid.source_z})] +=
          static_cast<Real>(source_value(grid, n + options_.first_sample));
      for (std::size_t k = 0; k < options_.receivers.size(); ++k) {
        result.traces[k * grid.steps + n] = static_cast<double>(now_[at(options_.receivers[k])]);
      }
    }
    each_cell([&](const Cell& cell, std::size_t) {
      result.cells.push_back(static_cast<double>(now_[at(cell)]));
    });
    return result;
  }

 private:
  std::size_t at(const Cell& cell) const {
    return static_cast<std::size_t>((static_cast<std::int64_t>(cell.x) + kMargin) +
                                    (static_cast<std::int64_t>(cell.y) + kMargin) * strides_[1] +
                                    (static_cast<std::int64_t>(cell.z) + kMargin) * strides_[2]);
  }

  // Calls see(cell, its number in a file).
  template <class See>
  void each_cell(See see) const {
    std::size_t number = 0;
    for (std::uint64_t y = 0; y < options_.grid.ny; ++y) {
      for (std::uint64_t x = 0; x < options_.grid.nx; ++x) {
        for (std::uint64_t z = 0; z < options_.grid.nz; ++z) see(Cell{x, y, z}, number++);
      }
    }
  }

  // Returns the second derivative along an axis.
  Real curvature(std::size_t cell, std::size_t axis) const {
    Real along = static_cast<Real>(kWeights[0]) * now_[cell];
    for (std::size_t m = 1; m <= kReach; ++m) {
      const std::size_t far = m * static_cast<std::size_t>(strides_[axis]);
      along += static_cast<Real>(kWeights[m]) * (now_[cell + far] + now_[cell - far]);
    }
    return along * inverse_square_[axis];
  }

  Real laplacian(std::size_t cell) const {
    return curvature(cell, 0) + curvature(cell, 1) + curvature(cell, 2);
  }

  // Returns the first derivative of a field along an axis.
  Real slope(const std::vector<Real>& field, std::size_t cell, std::size_t axis) const {
    Real along = 0;
    for (std::size_t m = 1; m <= kReach; ++m) {
      const std::size_t far = m * static_cast<std::size_t>(strides_[axis]);
      along += static_cast<Real>(kSlopes[m]) * (field[cell + far] - field[cell - far]);
    }
    return along * std::sqrt(inverse_square_[axis]);
  }

  // Returns (v dt)^2 at a cell.
  Real scale(std::size_t number) const {
    const double velocity = options_.velocities.empty()
                                ? options_.velocity
                                : static_cast<double>(options_.velocities[number]);
    return static_cast<Real>(velocity * options_.grid.dt * velocity * options_.grid.dt);
  }

  void step() {
    each_cell([&](const Cell& place, std::size_t number) {
      const std::size_t cell = at(place);
      const std::array<std::uint64_t, 3> where{place.x, place.y, place.z};
      double eta = 0;
      Real flow = phi_[cell];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double* around =
            &damping_[axis][where[axis]];  // the cell before, the cell, the one behind
        eta += around[1];
        const double slope = around[2] - around[0];
        const auto far = static_cast<std::size_t>(strides_[axis]);
        flow -= static_cast<Real>(slope) * inverse_square_[axis] / 4 *
                (now_[cell + far] - now_[cell - far]);
      }
      const Real sum = static_cast<Real>(2 * eta + 2 - eta * eta) * now_[cell] +
                       scale(number) * (laplacian(cell) + phi_[cell]) - before_[cell];
      before_[cell] = sum / static_cast<Real>(1 + 2 * eta);
      next_phi_[cell] = flow / static_cast<Real>(1 + eta);
    });
  }

  // Returns the factors of an axis at a cell.
  const Stretch& factors(const Cell& place, std::size_t axis) const {
    const std::array<std::uint64_t, 3> where{place.x, place.y, place.z};
    return stretch_[axis][where[axis] + 1];
  }

  void stretched_step() {
    each_cell([&](const Cell& place, std::size_t) {
      const std::size_t cell = at(place);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [a, b] = factors(place, axis);
        psi_[axis][cell] = static_cast<Real>(b) * psi_[axis][cell] +
                           static_cast<Real>(a) * slope(now_, cell, axis);
      }
    });
    each_cell([&](const Cell& place, std::size_t number) {
      const std::size_t cell = at(place);
      Real sum = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [a, b] = factors(place, axis);
        const Real along = curvature(cell, axis) + slope(psi_[axis], cell, axis);
        Real& zeta = zeta_[axis][cell];
        zeta = static_cast<Real>(b) * zeta + static_cast<Real>(a) * along;
        sum += along + zeta;
      }
      before_[cell] = 2 * now_[cell] - before_[cell] + scale(number) * sum;
    });
  }

  const ModellingOptions& options_;
  std::array<std::int64_t, 3> strides_{};
  std::array<Real, 3> inverse_square_{};
  std::array<std::vector<double>, 3> damping_{};   // from coordinate -1 to the size of the axis
  std::array<std::vector<Stretch>, 3> stretch_{};  // also from -1 on
  std::vector<Real> now_, before_, phi_, next_phi_;
  std::array<std::vector<Real>, 3> psi_{}, zeta_{};
};

double damping_of_side(double k, std::uint64_t cells, double scale) {
  if (cells == 0 || k <= 0) return 0;
  const auto n = static_cast<double>(cells);
  return k * k / (n * n) * scale / n;
}

}  // namespace

double damping(const ModellingOptions& options, int axis, std::int64_t at) {
  const AcousticOptions& grid = options.grid;
  const std::array<std::uint64_t, 3> sizes{grid.nx, grid.ny, grid.nz};
  const std::array<double, 3> spacing{grid.dx, grid.dy, grid.dz};
  const auto k = static_cast<std::size_t>(axis);
  const std::uint64_t low = options.layers[2 * k];
  const std::uint64_t high = options.layers[2 * k + 1];
  const double scale = grid.dt * 3 * grid.velocity * std::log(1000.0) / (2 * spacing[k]);
  const auto place = static_cast<double>(at);
  const double from_high = place - static_cast<double>(sizes[k]) + static_cast<double>(high);
  return std::max(damping_of_side(static_cast<double>(low) - 1 - place, low, scale),
                  damping_of_side(from_high, high, scale));
}

Stretch stretch(const ModellingOptions& options, int axis, double at) {
  constexpr double kReflection = 1e-5;
  const AcousticOptions& grid = options.grid;
  const std::array<std::uint64_t, 3> sizes{grid.nx, grid.ny, grid.nz};
  const std::array<double, 3> spacing{grid.dx, grid.dy, grid.dz};
  const auto k = static_cast<std::size_t>(axis);
  const auto low = static_cast<double>(options.layers[2 * k]);
  const auto high = static_cast<double>(options.layers[2 * k + 1]);
  const double in_low = low > 0 ? (low - 1 - at) / low : 0;
  const double in_high = high > 0 ? (at - static_cast<double>(sizes[k]) + high) / high : 0;
  const double cells = in_low >= in_high ? low : high;
  const double depth = std::max(in_low, in_high);
  if (depth <= 0) return {};
  const double most = -4 * grid.velocity * std::log(kReflection) / (2 * cells * spacing[k]);
  const double loss = most * depth * depth * depth;
  const double shift = std::numbers::pi * 0.6 * grid.fmax * (1 - depth);
  const double b = std::exp(-(loss + shift) * grid.dt);
  return {loss / (loss + shift) * (b - 1), b};
}

template <class Real>
Modelled model(const ModellingOptions& options) {
  return Run<Real>(options).all_steps();
}

template Modelled model<float>(const ModellingOptions&);
template Modelled model<double>(const ModellingOptions&);

}  // namespace wse::reference
