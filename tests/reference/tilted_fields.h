// The fields of waves in tilted media: components at points of a cell, their images beyond a free
// surface, and what sources add.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/reference/staggered_grid.h"
#include "tests/reference/tilted.h"

namespace wse::reference {

using Halves = std::array<int, 3>;  // a point of a cell, in halves of it

inline constexpr std::array<Halves, 4> kVelocityPoints{
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
inline constexpr std::array<Halves, 4> kStressPoints{{{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}};

// The axes of xx, yy, zz, yz, xz and xy.
inline constexpr std::array<std::array<std::size_t, 2>, 6> kPairs{
    {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};

// Components by number: velocities from kV on, stresses from kS on; of acoustic waves w from kW and
// u from kU on; of the approximation shear strains from kE and sums of the other strains from kQ
// on, in the order of stresses.
inline constexpr std::size_t kV = 0, kS = 3, kSh = 9, kSv = 10, kW = 11, kU = 14, kE = 17, kQ = 23;
inline constexpr std::size_t kComponents = 29;
inline constexpr std::array<const char*, kComponents> kComponentNames{
    "vx",  "vy",  "vz",  "sxx", "syy", "szz", "syz", "sxz", "sxy", "sh",
    "sv",  "wx",  "wy",  "wz",  "ux",  "uy",  "uz",  "",    "",    "",
    "eyz", "exz", "exy", "",    "",    "",    "qyz", "qxz", "qxy"};

// Returns the point half a cell from another one along an axis.
inline Halves beside(Halves point, std::size_t axis) {
  point[axis] = 1 - point[axis];
  return point;
}

// Returns the number of a strain or stress by its axes.
constexpr std::size_t number_of(std::size_t k, std::size_t l) { return k == l ? k : 6 - k - l; }

// Returns the point of a component on the Yee grid, which has no suffix in its name.
inline Halves own_point(std::size_t component) {
  Halves point{};
  if (component == kSh || component == kSv || component >= kQ) return point;
  for (const char letter : std::string(kComponentNames[component]).substr(1))
    point[static_cast<std::size_t>(letter - 'x')] ^= 1;
  return point;
}

template <class Real>
struct TiltedField {
  std::string name{};
  std::size_t component = 0;
  Halves point{};
  int image = 0;  // beyond a free surface: 1 even, -1 odd
  std::vector<Real> cells{};
  std::array<std::vector<Real>, 3> psi{};
};

template <class Real>
class TiltedFields : public StaggeredGrid<Real> {
 public:
  using Base = StaggeredGrid<Real>;
  using Base::at;
  using Base::each_cell;

  explicit TiltedFields(const TiltedOptions& options) : Base(options.model), options_(options) {
    const bool is_acoustic = options.kind == Tilted::kAcoustic;
    if (is_acoustic) {
      for (const std::size_t part : {kSh, kSv}) add_parts(part, kStressPoints, -1);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (!is_acoustic) add_parts(kV + k, kVelocityPoints, 1);
      for (const std::size_t part : {kW, kU}) {
        if (is_acoustic) add_parts(part + k, kVelocityPoints, 1);
      }
    }
    for (std::size_t i = 0; i < 6 && !is_acoustic; ++i) {
      const int image = i >= 2 && i < 5 ? -1 : 0;  // those across z
      add_parts(kS + i, kStressPoints, image);
      if (options.kind != Tilted::kApproximate || i < 3) continue;
      add(kE + i, own_point(kE + i), image);
      add(kQ + i, Halves{}, image);
    }
    if (options.initial) set_initial();
  }

  bool has(std::size_t component, const Halves& point) const {
    return table_[index(component, point)] != nullptr;
  }

  TiltedField<Real>& field(std::size_t component, const Halves& point) {
    return *table_[index(component, point)];
  }

  // Returns the field at the point that it has on the Yee grid.
  std::vector<Real>& own_cells(std::size_t component) {
    return field(component, own_point(component)).cells;
  }

  // Calls see(field) for all fields, in the order in which they were added.
  template <class See>
  void each_field(See see) {
    for (const auto& field : fields_) see(*field);
  }

  // Sets what lies beyond a free surface.
  void reflect() {
    if (!options_.has_surface) return;
    each_field([&](TiltedField<Real>& field) {
      if (field.image != 0)
        Base::reflect(field.cells, field.point[2] == 1, static_cast<Real>(field.image));
    });
  }

  bool is_on_surface(const GridCell& cell, const Halves& point) const {
    return options_.has_surface && cell[2] == 0 && point[2] == 0;
  }

  // Returns the stretched derivative of a component at a point along an axis.
  Real slope(std::size_t component, const Halves& point, std::size_t axis, const GridCell& cell) {
    TiltedField<Real>& from = field(component, beside(point, axis));
    return this->stretched(from.cells, from.psi[axis], axis, cell, point[axis] == 1);
  }

  double value(const MediumValues& values, const GridCell& cell) const {
    return this->of_model(values.cells, values.same, cell);
  }

  // Adds a value of the source to all points of its cell.
  void add_source(double value_of_step) {
    const auto& grid = options_.model.grid;
    const GridCell cell{grid.source_x, grid.source_y, grid.source_z};
    const Vector3 n = tilted_axis(value(options_.theta, cell), value(options_.phi, cell));
    for (const auto& [target, factor] : options_.source) {
      each_field([&](TiltedField<Real>& field) {
        const double by = kComponentNames[field.component] == target
                              ? 1
                              : acoustic_share(field.component, target, n);
        field.cells[at(cell)] += static_cast<Real>(by * factor * value_of_step);
      });
    }
  }

 private:
  // Returns what a pressure or a force is for a component of acoustic waves: both stresses, and
  // parts of a velocity.
  double acoustic_share(std::size_t component, const std::string& target, const Vector3& n) const {
    if (options_.kind != Tilted::kAcoustic) return 0;
    if (target == "p") return component == kSh || component == kSv ? 1 : 0;
    if (component < kW) return 0;
    const std::size_t k = (component - kW) % 3;
    const auto l = static_cast<std::size_t>(target[1] - 'x');
    return component >= kU ? n[k] * n[l] : (k == l ? 1 : 0) - n[k] * n[l];
  }

  static std::size_t index(std::size_t component, const Halves& point) {
    return 8 * component + static_cast<std::size_t>(point[0] + 2 * point[1] + 4 * point[2]);
  }

  static std::string name_of(std::size_t component, const Halves& point) {
    std::string name = kComponentNames[component];
    if (point == own_point(component)) return name;
    std::string suffix;
    for (std::size_t k = 0; k < 3; ++k) {
      if (point[k] == 1) suffix += "xyz"[k];
    }
    return name + "_" + (suffix.empty() ? "0" : suffix);
  }

  void add(std::size_t component, const Halves& point, int image) {
    auto field = std::make_unique<TiltedField<Real>>();
    field->name = name_of(component, point);
    field->component = component, field->point = point, field->image = image;
    field->cells.resize(this->count());
    for (std::size_t axis = 0; axis < 3; ++axis)
      field->psi[axis].resize(this->has_layers(axis) ? this->count() : 0);
    table_[index(component, point)] = field.get();
    fields_.push_back(std::move(field));
  }

  void add_parts(std::size_t component, const std::array<Halves, 4>& points, int image) {
    for (const Halves& point : points) {
      if (options_.kind != Tilted::kApproximate || point == own_point(component))
        add(component, point, image);
    }
  }

  void set_initial() {
    each_field([&](TiltedField<Real>& field) {
      each_cell([&](const GridCell& cell, std::size_t place) {
        Vector3 point{};
        for (std::size_t k = 0; k < 3; ++k)
          point[k] = static_cast<double>(cell[k]) + field.point[k] / 2.0;
        field.cells[place] =
            static_cast<Real>(options_.initial(kComponentNames[field.component], point));
      });
    });
  }

  const TiltedOptions& options_;
  std::vector<std::unique_ptr<TiltedField<Real>>> fields_{};
  std::array<TiltedField<Real>*, 8 * kComponents> table_{};
};

}  // namespace wse::reference
