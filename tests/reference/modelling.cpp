// Modelling, cell by cell.
#include "tests/reference/modelling.h"

#include <algorithm>
#include <cmath>

namespace wse::reference {
namespace {

constexpr std::int64_t kMargin = kReach;

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
    phi_.resize(count);
    next_phi_.resize(count);
    const std::array<double, 3> spacing{grid.dx, grid.dy, grid.dz};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      inverse_square_[axis] = static_cast<Real>(1 / (spacing[axis] * spacing[axis]));
    }
    const std::array<std::uint64_t, 3> sizes{grid.nx, grid.ny, grid.nz};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::int64_t at = -1; at <= static_cast<std::int64_t>(sizes[axis]); ++at) {
        damping_[axis].push_back(damping(options, static_cast<int>(axis), at));
      }
    }
  }

  Modelled all_steps() {
    const AcousticOptions& grid = options_.grid;
    Modelled result;
    result.traces.resize(options_.receivers.size() * grid.steps);
    for (std::uint64_t n = 0; n < grid.steps; ++n) {
      step();
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

  Real laplacian(std::size_t cell) const {
    Real sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Real along = static_cast<Real>(kWeights[0]) * now_[cell];
      for (std::size_t m = 1; m <= kReach; ++m) {
        const std::size_t far = m * static_cast<std::size_t>(strides_[axis]);
        along += static_cast<Real>(kWeights[m]) * (now_[cell + far] + now_[cell - far]);
      }
      sum += along * inverse_square_[axis];
    }
    return sum;
  }

  void step() {
    const double dt = options_.grid.dt;
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
      const double velocity = options_.velocities.empty()
                                  ? options_.velocity
                                  : static_cast<double>(options_.velocities[number]);
      const auto scale = static_cast<Real>(velocity * dt * velocity * dt);
      const Real sum = static_cast<Real>(2 * eta + 2 - eta * eta) * now_[cell] +
                       scale * (laplacian(cell) + phi_[cell]) - before_[cell];
      before_[cell] = sum / static_cast<Real>(1 + 2 * eta);
      next_phi_[cell] = flow / static_cast<Real>(1 + eta);
    });
  }

  const ModellingOptions& options_;
  std::array<std::int64_t, 3> strides_{};
  std::array<Real, 3> inverse_square_{};
  std::array<std::vector<double>, 3> damping_{};  // from coordinate -1 to the size of the axis
  std::vector<Real> now_, before_, phi_, next_phi_;
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

template <class Real>
Modelled model(const ModellingOptions& options) {
  return Run<Real>(options).all_steps();
}

template Modelled model<float>(const ModellingOptions&);
template Modelled model<double>(const ModellingOptions&);

}  // namespace wse::reference
