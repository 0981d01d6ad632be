// Cells of fields on staggered grids, with differences, layers and a free surface: what the
// references of waves of first order share. Shares nothing with the machine or the scripts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/reference/modelling.h"

namespace wse::reference {

// Weights at half points, at distances 1/2, 3/2, 5/2 and 7/2.
inline constexpr std::array<double, kReach> kHalf{1225.0 / 1024, -245.0 / 3072, 49.0 / 5120,
                                                  -5.0 / 7168};

// A cell as x, y and z, in cells.
using GridCell = std::array<std::uint64_t, 3>;

template <class Real>
class StaggeredGrid {
 public:
  explicit StaggeredGrid(const ModellingOptions& options) : options_(options) {
    const AcousticOptions& grid = options.grid;
    const std::size_t row = grid.nz + 2 * kReach;
    const std::size_t plane = row * (grid.nx + 2 * kReach);
    strides_ = {row, plane, 1};
    sizes_ = {grid.nx, grid.ny, grid.nz};
    count_ = plane * (grid.ny + 2 * kReach);
    const std::array<double, 3> spacing{grid.dx, grid.dy, grid.dz};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t m = 0; m < kReach; ++m)
        weights_[axis][m] = static_cast<Real>(kHalf[m] / spacing[axis]);
      for (std::uint64_t at = 0; at < sizes_[axis]; ++at) {
        for (const int half : {0, 1}) {
          const double place = static_cast<double>(at) + half / 2.0;
          stretch_[axis].push_back(stretch(options, static_cast<int>(axis), place));
        }
      }
    }
  }

  // Returns the words of a field, with a margin of 0 around its cells.
  std::size_t count() const { return count_; }
  std::size_t stride(std::size_t axis) const { return strides_[axis]; }

  bool has_layers(std::size_t axis) const {
    return options_.layers[2 * axis] + options_.layers[2 * axis + 1] > 0;
  }

  std::size_t at(const GridCell& cell) const {
    return (cell[0] + kReach) * strides_[0] + (cell[1] + kReach) * strides_[1] + cell[2] + kReach;
  }

  // Calls see(cell, its place), in the order of files.
  template <class See>
  void each_cell(See see) const {
    for (std::uint64_t y = 0; y < sizes_[1]; ++y) {
      for (std::uint64_t x = 0; x < sizes_[0]; ++x) {
        for (std::uint64_t z = 0; z < sizes_[2]; ++z) see(GridCell{x, y, z}, at({x, y, z}));
      }
    }
  }

  // Returns the value of a model at a cell, of the nearest one for cells beyond the last; `same` if
  // it has no values.
  double of_model(const std::vector<float>& values, double same, GridCell cell) const {
    if (values.empty()) return same;
    for (std::size_t k = 0; k < 3; ++k) cell[k] = std::min(cell[k], sizes_[k] - 1);
    return static_cast<double>(values[(cell[1] * sizes_[0] + cell[0]) * sizes_[2] + cell[2]]);
  }

  // Returns the derivative of a field along an axis half a cell further on (to_half) or half a cell
  // back.
  Real difference(const std::vector<Real>& of, std::size_t place, std::size_t axis,
                  bool to_half) const {
    const std::size_t stride = strides_[axis];
    Real sum = 0;
    for (std::size_t m = 1; m <= kReach; ++m) {
      const std::size_t ahead = to_half ? place + m * stride : place + (m - 1) * stride;
      const std::size_t back = to_half ? place - (m - 1) * stride : place - m * stride;
      sum += weights_[axis][m - 1] * (of[ahead] - of[back]);
    }
    return sum;
  }

  // Returns the derivative stretched as layers want it, and moves their field psi at the cell,
  // which has no words without layers. It may be asked for once in a step.
  Real stretched(const std::vector<Real>& of, std::vector<Real>& psi, std::size_t axis,
                 const GridCell& cell, bool to_half) const {
    const std::size_t place = at(cell);
    const Real along = difference(of, place, axis, to_half);
    if (psi.empty()) return along;
    const Stretch factors = stretch_[axis][2 * cell[axis] + (to_half ? 1 : 0)];
    psi[place] = static_cast<Real>(factors.b) * psi[place] + static_cast<Real>(factors.a) * along;
    return along + psi[place];
  }

  // Sets the cells beyond z = 0 to the image of a field there, with a sign; is_half: it lies half a
  // cell below its cells.
  void reflect(std::vector<Real>& of, bool is_half, Real sign) const {
    for (std::uint64_t y = 0; y < sizes_[1]; ++y) {
      for (std::uint64_t x = 0; x < sizes_[0]; ++x) {
        const std::size_t top = at({x, y, 0});
        for (std::size_t m = 1; m <= kReach; ++m)
          of[top - m] = sign * of[top + (is_half ? m - 1 : m)];
      }
    }
  }

 private:
  const ModellingOptions& options_;
  std::array<std::size_t, 3> strides_{};
  GridCell sizes_{};
  std::size_t count_ = 0;
  std::array<std::array<Real, kReach>, 3> weights_{};
  std::array<std::vector<Stretch>, 3> stretch_{};  // of each cell, then half a cell further on
};

}  // namespace wse::reference
