// Waves on the Yee grid, cell by cell.
#include "tests/reference/staggered.h"

#include <algorithm>
#include <cmath>

#include "tests/reference/staggered_grid.h"

namespace wse::reference {
namespace {

constexpr std::array<const char*, kWaves> kNames{"vx",  "vy",  "vz",  "sxx", "syy",
                                                 "szz", "syz", "sxz", "sxy", "p"};

// Halves of a cell along x, y and z at which fields lie.
constexpr std::array<std::array<int, 3>, kWaves> kPositions{{{1, 0, 0},
                                                             {0, 1, 0},
                                                             {0, 0, 1},
                                                             {0, 0, 0},
                                                             {0, 0, 0},
                                                             {0, 0, 0},
                                                             {0, 1, 1},
                                                             {1, 0, 1},
                                                             {1, 1, 0},
                                                             {0, 0, 0}}};

constexpr std::size_t index_of(Wave wave) { return static_cast<std::size_t>(wave); }

// Returns the stress across two axes.
constexpr Wave stress(std::size_t k, std::size_t l) {
  if (k == l) return static_cast<Wave>(index_of(Wave::kSxx) + k);
  return static_cast<Wave>(index_of(Wave::kSyz) + (3 - k - l));
}

constexpr Wave velocity(std::size_t k) { return static_cast<Wave>(k); }

template <class Real>
class StaggeredRun : private StaggeredGrid<Real> {
 public:
  StaggeredRun(const StaggeredOptions& options, bool with_energy)
      : Base(options.model),
        options_(options),
        grid_(options.model.grid),
        with_energy_(with_energy) {
    for (std::vector<Real>& field : fields_) field.resize(this->count());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (auto& of_field : psi_) of_field[axis].resize(this->has_layers(axis) ? this->count() : 0);
    }
    set_medium(this->count());
    if (!options.initial) return;
    for (std::size_t wave = 0; wave < kWaves; ++wave) {
      const std::array<int, 3> half = position_of(static_cast<Wave>(wave));
      each_cell([&](const std::array<std::uint64_t, 3>& cell, std::size_t at) {
        std::array<double, 3> place{};
        for (std::size_t k = 0; k < 3; ++k) place[k] = static_cast<double>(cell[k]) + half[k] / 2.0;
        fields_[wave][at] = static_cast<Real>(options.initial(static_cast<Wave>(wave), place));
      });
    }
  }

  Waves all_steps() {
    Waves result;
    const std::vector<Cell>& receivers = options_.model.receivers;
    result.traces.resize(options_.recorded.size());
    for (auto& traces : result.traces) traces.resize(receivers.size() * grid_.steps);
    for (std::uint64_t n = 0; n < grid_.steps; ++n) {
      step(result);
      const double value = source_value(grid_, n + options_.model.first_sample);
      for (std::size_t wave = 0; wave < kWaves; ++wave) {
        const double added = options_.source[wave] * value;
        if (added != 0)
          fields_[wave][at({grid_.source_x, grid_.source_y, grid_.source_z})] +=
              static_cast<Real>(added);
      }
      for (std::size_t k = 0; k < options_.recorded.size(); ++k) {
        for (std::size_t r = 0; r < receivers.size(); ++r) {
          const std::size_t place = at({receivers[r].x, receivers[r].y, receivers[r].z});
          result.traces[k][r * grid_.steps + n] =
              static_cast<double>(field(options_.recorded[k])[place]);
        }
      }
    }
    for (std::size_t wave = 0; wave < kWaves; ++wave) {
      each_cell([&](const std::array<std::uint64_t, 3>&, std::size_t place) {
        result.cells[wave].push_back(static_cast<double>(fields_[wave][place]));
      });
    }
    return result;
  }

 private:
  using Base = StaggeredGrid<Real>;
  using Place = GridCell;
  using Base::at;
  using Base::each_cell;
  using Base::of_model;

  std::vector<Real>& field(Wave wave) { return fields_[index_of(wave)]; }

  // ---- the medium

  double density(const Place& cell) const {
    return of_model(options_.densities, options_.density, cell);
  }
  double bulk(const Place& cell) const {  // lambda + 2 mu, or rho vp^2
    const double vp = of_model(options_.model.velocities, options_.model.velocity, cell);
    return density(cell) * vp * vp;
  }
  double rigidity(const Place& cell) const {
    const double vs = of_model(options_.shears, options_.shear, cell);
    return density(cell) * vs * vs;
  }

  // Returns the mean density of the two cells between which a velocity lies.
  double density_at(std::size_t axis, Place cell) const {
    const double here = density(cell);
    ++cell[axis];
    return (here + density(cell)) / 2;
  }

  // Returns the harmonic mean of the rigidity of the four cells between which a shear stress lies.
  double rigidity_at(std::size_t k, std::size_t l, const Place& cell) const {
    double sum = 0;
    for (const std::uint64_t i : {0, 1}) {
      for (const std::uint64_t j : {0, 1}) {
        Place near = cell;
        near[k] += i;
        near[l] += j;
        sum += 1 / rigidity(near);
      }
    }
    return 4 / sum;
  }

  // Sets what fields are moved by in a step: the time step over the density, or times the moduli.
  void set_medium(std::size_t count) {
    for (std::vector<Real>& scale : scale_) scale.resize(count);
    across_.resize(count);
    each_cell([&](const Place& cell, std::size_t place) {
      for (std::size_t k = 0; k < 3; ++k) {
        scale_[k][place] = static_cast<Real>(grid_.dt / density_at(k, cell));
        scale_[index_of(stress(k, k))][place] = static_cast<Real>(grid_.dt * bulk(cell));
        for (std::size_t l = k + 1; l < 3; ++l) {
          scale_[index_of(stress(k, l))][place] =
              static_cast<Real>(grid_.dt * rigidity_at(k, l, cell));
        }
      }
      across_[place] = static_cast<Real>(grid_.dt * (bulk(cell) - 2 * rigidity(cell)));
    });
  }

  Real scale(Wave wave, std::size_t place) const { return scale_[index_of(wave)][place]; }

  // ---- differences

  // Returns the stretched derivative of a field along an axis at a cell, where it may be asked for
  // once in a step.
  Real slope(Wave wave, std::size_t axis, const Place& cell) {
    const bool to_half = kPositions[index_of(wave)][axis] == 0;
    return this->stretched(field(wave), psi_[index_of(wave)][axis], axis, cell, to_half);
  }

  // Sets the cells beyond z = 0 to the image of a field there.
  void reflect(Wave wave, Real sign) {
    if (options_.has_surface) Base::reflect(field(wave), position_of(wave)[2] != 0, sign);
  }

  // ---- a step

  void step(Waves& result) {
    const auto before = with_energy_
                            ? std::vector<std::vector<Real>>{fields_[0], fields_[1], fields_[2]}
                            : std::vector<std::vector<Real>>{};
    if (options_.is_elastic) {
      for (const Wave wave : {Wave::kSzz, Wave::kSyz, Wave::kSxz}) reflect(wave, -1);
    } else {
      reflect(Wave::kP, -1);
    }
    each_cell([&](const Place& cell, std::size_t place) { move_velocities(cell, place); });
    if (with_energy_) result.energy.push_back(energy(before));
    for (std::size_t k = 0; k < 3; ++k) reflect(velocity(k), 1);
    each_cell([&](const Place& cell, std::size_t place) {
      if (options_.is_elastic) {
        move_normal(cell, place);
        move_shear(cell, place);
      } else {
        move_pressure(cell, place);
      }
    });
  }

  void move_velocities(const Place& cell, std::size_t place) {
    for (std::size_t k = 0; k < 3; ++k) {
      Real sum = 0;
      if (options_.is_elastic) {
        for (std::size_t l = 0; l < 3; ++l) sum += slope(stress(k, l), l, cell);
      } else {
        sum = slope(Wave::kP, k, cell);
      }
      field(velocity(k))[place] += scale(velocity(k), place) * sum;
    }
  }

  bool is_on_surface(const Place& cell) const { return options_.has_surface && cell[2] == 0; }

  void move_pressure(const Place& cell, std::size_t place) {
    Real sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += slope(velocity(k), k, cell);
    Real& p = field(Wave::kP)[place];
    p = is_on_surface(cell) ? 0 : p + scale(Wave::kSxx, place) * sum;
  }

  void move_normal(const Place& cell, std::size_t place) {
    const Real along = scale(Wave::kSxx, place);
    std::array<Real, 3> strain{};
    for (std::size_t k = 0; k < 3; ++k) strain[k] = slope(velocity(k), k, cell);
    if (is_on_surface(cell)) strain[2] = -across_[place] / along * (strain[0] + strain[1]);
    for (std::size_t k = 0; k < 3; ++k) {
      Real sum = 0;
      for (std::size_t l = 0; l < 3; ++l) sum += (k == l ? along : across_[place]) * strain[l];
      field(stress(k, k))[place] += sum;
    }
    if (is_on_surface(cell)) field(Wave::kSzz)[place] = 0;
  }

  void move_shear(const Place& cell, std::size_t place) {
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t l = k + 1; l < 3; ++l) {
        const Real sum = slope(velocity(k), l, cell) + slope(velocity(l), k, cell);
        field(stress(k, l))[place] += scale(stress(k, l), place) * sum;
      }
    }
  }

  // ---- energy

  double value(Wave wave, std::size_t place) { return static_cast<double>(field(wave)[place]); }

  double stress_energy(const Place& cell, std::size_t place, double share) {
    if (!options_.is_elastic)
      return share * value(Wave::kP, place) * value(Wave::kP, place) / (2 * bulk(cell));
    const double mu = rigidity(cell);
    const double lambda = bulk(cell) - 2 * mu;
    double squares = 0;
    double trace = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      squares += value(stress(k, k), place) * value(stress(k, k), place);
      trace += value(stress(k, k), place);
    }
    double sum = share * (squares - lambda / (3 * lambda + 2 * mu) * trace * trace) / (4 * mu);
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t l = k + 1; l < 3; ++l) {
        const double own = value(stress(k, l), place);
        sum += (l == 2 ? 1 : share) * own * own / (2 * rigidity_at(k, l, cell));
      }
    }
    return sum;
  }

  double energy(const std::vector<std::vector<Real>>& before) {
    double sum = 0;
    each_cell([&](const Place& cell, std::size_t place) {
      const double share = is_on_surface(cell) ? 0.5 : 1;
      for (std::size_t k = 0; k < 3; ++k) {
        const double product = static_cast<double>(before[k][place]) * value(velocity(k), place);
        sum += (k == 2 ? 1 : share) * density_at(k, cell) * product / 2;
      }
      sum += stress_energy(cell, place, share);
    });
    return sum;
  }

  const StaggeredOptions& options_;
  const AcousticOptions& grid_;
  bool with_energy_;
  std::array<std::vector<Real>, kWaves> scale_{};
  std::vector<Real> across_;  // dt lambda
  std::array<std::vector<Real>, kWaves> fields_{};
  std::array<std::array<std::vector<Real>, 3>, kWaves> psi_{};  // of each field along each axis
};

}  // namespace

std::size_t wave_of(const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(kNames, name) - kNames.begin());
}

std::array<int, 3> position_of(Wave wave) { return kPositions[index_of(wave)]; }

double staggered_stable_dt(const AcousticOptions& options) {
  double weights = 0;
  for (const double weight : kHalf) weights += std::fabs(weight);
  const double sum =
      1 / (options.dx * options.dx) + 1 / (options.dy * options.dy) + 1 / (options.dz * options.dz);
  return 1 / (options.velocity * weights * std::sqrt(sum));
}

template <class Real>
Waves staggered(const StaggeredOptions& options, bool with_energy) {
  return StaggeredRun<Real>(options, with_energy).all_steps();
}

template Waves staggered<float>(const StaggeredOptions&, bool);
template Waves staggered<double>(const StaggeredOptions&, bool);

}  // namespace wse::reference
