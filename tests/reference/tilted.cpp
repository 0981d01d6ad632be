// Waves in tilted media, cell by cell.
#include "tests/reference/tilted.h"

#include <algorithm>
#include <cmath>

#include "tests/reference/tilted_fields.h"

namespace wse::reference {
namespace {

template <class Real>
class TiltedRun : private TiltedFields<Real> {
 public:
  TiltedRun(const TiltedOptions& options, bool with_energy)
      : Base(options), options_(options), with_energy_(with_energy) {
    if (options.kind != Tilted::kAcoustic) set_stiffnesses();
  }

  TiltedWaves all_steps() {
    TiltedWaves result;
    const AcousticOptions& grid = options_.model.grid;
    for (std::uint64_t n = 0; n < grid.steps; ++n) {
      step(result);
      if (grid.has_source) this->add_source(source_value(grid, n + options_.model.first_sample));
      note_traces(result, n);
    }
    this->each_field([&](const TiltedField<Real>& field) {
      result.positions[field.name] = field.point;
      std::vector<double>& cells = result.cells[field.name];
      each_cell([&](const GridCell&, std::size_t place) {
        cells.push_back(static_cast<double>(field.cells[place]));
      });
    });
    return result;
  }

 private:
  using Base = TiltedFields<Real>;
  using Base::at;
  using Base::each_cell;
  using Base::field;
  using Base::is_on_surface;
  using Base::own_cells;
  using Base::slope;
  using Base::value;

  void note_traces(TiltedWaves& result, std::uint64_t n) {
    const std::vector<Cell>& receivers = options_.model.receivers;
    const std::uint64_t steps = options_.model.grid.steps;
    this->each_field([&](const TiltedField<Real>& field) {
      if (std::ranges::find(options_.recorded, field.name) == options_.recorded.end()) return;
      std::vector<double>& traces = result.traces[field.name];
      traces.resize(receivers.size() * steps);
      for (std::size_t r = 0; r < receivers.size(); ++r) {
        const std::size_t place = at({receivers[r].x, receivers[r].y, receivers[r].z});
        traces[r * steps + n] = static_cast<double>(field.cells[place]);
      }
    });
  }

  // ---- the medium

  double dt() const { return options_.model.grid.dt; }
  double velocity(const GridCell& cell) const {
    return this->of_model(options_.model.velocities, options_.model.velocity, cell);
  }
  Vector3 axis_at(const GridCell& cell) const {
    return tilted_axis(value(options_.theta, cell), value(options_.phi, cell));
  }

  // Returns whether a cell lies in a layer: there acoustic waves have delta = epsilon, without
  // which some grow.
  bool is_in_layers(const GridCell& cell) const {
    const AcousticOptions& grid = options_.model.grid;
    const GridCell sizes{grid.nx, grid.ny, grid.nz};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t low = options_.model.layers[2 * k];
      const std::uint64_t high = options_.model.layers[2 * k + 1];
      if (cell[k] < low || cell[k] + high >= sizes[k]) return true;
    }
    return false;
  }

  void set_stiffnesses() {
    const auto of = [&](const GridCell& cell) {
      return tilted_stiffness(value(options_.density, cell), velocity(cell),
                              value(options_.shear, cell), value(options_.epsilon, cell),
                              value(options_.delta, cell), value(options_.gamma, cell),
                              value(options_.theta, cell), value(options_.phi, cell));
    };
    bool is_one = options_.model.velocities.empty();
    for (const MediumValues* values :
         {&options_.density, &options_.shear, &options_.epsilon, &options_.delta, &options_.gamma,
          &options_.theta, &options_.phi})
      is_one = is_one && values->cells.empty();
    if (is_one) {
      stiffnesses_.push_back(of(GridCell{}));
    } else {
      each_cell([&](const GridCell& cell, std::size_t) { stiffnesses_.push_back(of(cell)); });
    }
  }

  // Returns the stiffnesses of a cell, of the nearest one for cells beyond the last.
  const Stiffness& stiffness(GridCell cell) const {
    if (stiffnesses_.size() == 1) return stiffnesses_[0];
    const AcousticOptions& grid = options_.model.grid;
    cell = {std::min(cell[0], grid.nx - 1), std::min(cell[1], grid.ny - 1),
            std::min(cell[2], grid.nz - 1)};
    return stiffnesses_[(cell[1] * grid.nx + cell[0]) * grid.nz + cell[2]];
  }

  // Returns the density of a velocity: of the approximation the mean of two cells, else that of the
  // cell.
  double density_at(const GridCell& cell, const Halves& point) const {
    if (options_.kind != Tilted::kApproximate) return value(options_.density, cell);
    GridCell near = cell;
    for (std::size_t k = 0; k < 3; ++k) near[k] += static_cast<std::uint64_t>(point[k]);
    return (value(options_.density, cell) + value(options_.density, near)) / 2;
  }

  // ---- a step

  void step(TiltedWaves& result) {
    this->reflect();
    note_velocities();
    each_cell([&](const GridCell& cell, std::size_t place) {
      for (const Halves& point : kVelocityPoints) {
        if (options_.kind == Tilted::kAcoustic) {
          move_acoustic_velocities(cell, place, point);
        } else {
          move_velocities(cell, place, point);
        }
      }
    });
    if (with_energy_) result.energy.push_back(energy());
    this->reflect();
    if (options_.kind == Tilted::kApproximate) return move_approximately();
    each_cell([&](const GridCell& cell, std::size_t place) {
      for (const Halves& point : kStressPoints) {
        if (options_.kind == Tilted::kAcoustic) {
          move_acoustic_stresses(cell, place, point);
        } else {
          move_stresses(cell, place, point);
        }
      }
    });
  }

  void move_velocities(const GridCell& cell, std::size_t place, const Halves& point) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!this->has(kV + k, point)) continue;
      Real sum = 0;
      for (std::size_t l = 0; l < 3; ++l) sum += slope(kS + number_of(k, l), point, l, cell);
      field(kV + k, point).cells[place] += static_cast<Real>(dt() / density_at(cell, point)) * sum;
    }
  }

  void move_acoustic_velocities(const GridCell& cell, std::size_t place, const Halves& point) {
    const Vector3 n = axis_at(cell);
    std::array<std::array<Real, 3>, 2> slopes{};
    std::array<Real, 2> along{};
    for (std::size_t part = 0; part < 2; ++part) {
      for (std::size_t k = 0; k < 3; ++k) {
        slopes[part][k] = slope(part == 0 ? kSh : kSv, point, k, cell);
        along[part] += static_cast<Real>(n[k]) * slopes[part][k];
      }
    }
    const Real by = static_cast<Real>(dt() / value(options_.density, cell));
    for (std::size_t k = 0; k < 3; ++k) {
      const Real nk = static_cast<Real>(n[k]);
      field(kW + k, point).cells[place] += by * (slopes[0][k] - nk * along[0]);
      field(kU + k, point).cells[place] += by * nk * along[1];
    }
  }

  void move_acoustic_stresses(const GridCell& cell, std::size_t place, const Halves& point) {
    Real across = 0;
    Real along = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      across += slope(kW + k, point, k, cell);
      along += slope(kU + k, point, k, cell);
    }
    const double bulk = dt() * value(options_.density, cell) * std::pow(velocity(cell), 2);
    const double epsilon = value(options_.epsilon, cell);
    const double delta = is_in_layers(cell) ? epsilon : value(options_.delta, cell);
    const Real both = static_cast<Real>(bulk * std::sqrt(1 + 2 * delta));
    const Real wide = static_cast<Real>(bulk * (1 + 2 * epsilon));
    Real& sh = field(kSh, point).cells[place];
    Real& sv = field(kSv, point).cells[place];
    const bool is_free = is_on_surface(cell, point);
    sh = is_free ? 0 : sh + wide * across + both * along;
    sv = is_free ? 0 : sv + both * across + static_cast<Real>(bulk) * along;
    note_strain(kSh, point, place, across);
    note_strain(kSv, point, place, along);
  }

  // Returns the strain between two axes at a point.
  Real strain(std::size_t i, const GridCell& cell, const Halves& point) {
    const auto [k, l] = kPairs[i];
    const Real one = slope(kV + k, point, l, cell);
    return k == l ? one : one + slope(kV + l, point, k, cell);
  }

  // Sets the strains across z such that szz, syz and sxz stay 0: solves three equations by
  // elimination.
  static void free_strains(const Stiffness& c, std::array<Real, 6>& e) {
    std::array<std::array<double, 4>, 3> rows{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) rows[i][j] = c[2 + i][2 + j];
      for (const std::size_t j : {0, 1, 5}) rows[i][3] -= c[2 + i][j] * static_cast<double>(e[j]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (i == k) continue;
        const double by = rows[i][k] / rows[k][k];
        for (std::size_t j = k; j < 4; ++j) rows[i][j] -= by * rows[k][j];
      }
    }
    for (std::size_t i = 0; i < 3; ++i) e[2 + i] = static_cast<Real>(rows[i][3] / rows[i][i]);
  }

  void move_stresses(const GridCell& cell, std::size_t place, const Halves& point) {
    const Stiffness& c = stiffness(cell);
    std::array<Real, 6> e{};
    for (std::size_t i = 0; i < 6; ++i) e[i] = strain(i, cell, point);
    const bool is_free = is_on_surface(cell, point);
    if (is_free) free_strains(c, e);
    for (std::size_t i = 0; i < 6; ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < 6; ++j) sum += static_cast<Real>(dt() * c[i][j]) * e[j];
      Real& s = field(kS + i, point).cells[place];
      s = is_free && i >= 2 && i < 5 ? 0 : s + sum;
      note_strain(kS + i, point, place, e[i]);
    }
  }

  // ---- the approximation

  // Returns the mean of a field at four places, from a cell towards both sides (-1: back, 1: ahead)
  // along the two axes of a shear.
  Real mean(const std::vector<Real>& of, std::size_t place, std::size_t shear, int towards) const {
    const auto [k, l] = kPairs[shear];
    const auto near = [&](std::size_t from, std::size_t axis) {
      return towards > 0 ? from + this->stride(axis) : from - this->stride(axis);
    };
    return (of[place] + of[near(place, k)] + of[near(place, l)] + of[near(near(place, k), l)]) / 4;
  }

  void move_approximately() {
    each_cell([&](const GridCell& cell, std::size_t place) {
      for (std::size_t i = 3; i < 6; ++i)
        own_cells(kE + i)[place] = strain(i, cell, own_point(kS + i));
    });
    this->reflect();
    each_cell([&](const GridCell& cell, std::size_t place) { move_on_cells(cell, place); });
    this->reflect();
    each_cell([&](const GridCell& cell, std::size_t place) {
      for (std::size_t i = 3; i < 6; ++i) {
        const Real e = own_cells(kE + i)[place];
        own_cells(kS + i)[place] += static_cast<Real>(dt() * own_stiffness(cell, i)) * e +
                                    mean(own_cells(kQ + i), place, i, 1);
        note_strain(kS + i, own_point(kS + i), place, e);
      }
    });
  }

  // Moves normal stresses, and sets what strains on the cells make of shear stresses.
  void move_on_cells(const GridCell& cell, std::size_t place) {
    const Stiffness& c = stiffness(cell);
    std::array<Real, 6> e{};
    for (std::size_t i = 0; i < 6; ++i)
      e[i] = i < 3 ? strain(i, cell, Halves{}) : mean(own_cells(kE + i), place, i, -1);
    const bool is_free = is_on_surface(cell, Halves{});
    if (is_free) {
      double sum = 0;
      for (const std::size_t j : {0, 1, 3, 4, 5}) sum += c[2][j] * static_cast<double>(e[j]);
      e[2] = static_cast<Real>(-sum / c[2][2]);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < 6; ++j) {
        if (i < 3 || i != j) sum += static_cast<Real>(dt() * c[i][j]) * e[j];
      }
      if (i >= 3) {
        own_cells(kQ + i)[place] = is_free && i < 5 ? 0 : sum;
        continue;
      }
      Real& s = own_cells(kS + i)[place];
      s = is_free && i == 2 ? 0 : s + sum;
      note_strain(kS + i, Halves{}, place, e[i]);
    }
  }

  // Returns the mean stiffness of a shear strain in the four cells around it.
  double own_stiffness(const GridCell& cell, std::size_t shear) const {
    const auto [k, l] = kPairs[shear];
    double sum = 0;
    for (const std::uint64_t i : {0, 1}) {
      for (const std::uint64_t j : {0, 1}) {
        GridCell near = cell;
        near[k] += i;
        near[l] += j;
        sum += stiffness(near)[shear][shear] / 4;
      }
    }
    return sum;
  }

  // ---- energy

  static bool is_velocity(std::size_t component) {
    return component < kS || (component >= kW && component < kE);
  }

  void note_velocities() {
    if (!with_energy_) return;
    this->each_field([&](const TiltedField<Real>& field) {
      if (is_velocity(field.component)) earlier_[field.name] = field.cells;
    });
  }

  void note_strain(std::size_t component, const Halves& point, std::size_t place, Real rate) {
    if (!with_energy_) return;
    std::vector<double>& strain = strains_[field(component, point).name];
    strain.resize(this->count());
    strain[place] += dt() * static_cast<double>(rate);
  }

  double energy() {
    double sum = 0;
    this->each_field([&](const TiltedField<Real>& field) {
      const auto strain = strains_.find(field.name);
      each_cell([&](const GridCell& cell, std::size_t place) {
        const double half = is_on_surface(cell, field.point) ? 0.25 : 0.5;
        const auto own = static_cast<double>(field.cells[place]);
        if (is_velocity(field.component)) {
          const auto earlier = static_cast<double>(earlier_[field.name][place]);
          sum += half * density_at(cell, field.point) * own * earlier;
        } else if (strain != strains_.end()) {
          sum += half * own * strain->second[place];
        }
      });
    });
    return sum;
  }

  const TiltedOptions& options_;
  bool with_energy_;
  std::vector<Stiffness> stiffnesses_{};  // of each cell, or one
  std::map<std::string, std::vector<Real>> earlier_{};
  std::map<std::string, std::vector<double>> strains_{};
};

}  // namespace

template <class Real>
TiltedWaves tilted(const TiltedOptions& options, bool with_energy) {
  return TiltedRun<Real>(options, with_energy).all_steps();
}

template TiltedWaves tilted<float>(const TiltedOptions&, bool);
template TiltedWaves tilted<double>(const TiltedOptions&, bool);

}  // namespace wse::reference
