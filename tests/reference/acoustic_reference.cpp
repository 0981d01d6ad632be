// acoustic-reference: the wave equation in plain C++, with Minimod's options and log; `--help` has
// all of them. Compares a field of wsevm with its own: exit 1 if they differ too much.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/reference/acoustic.h"
#include "tests/reference/acoustic_arguments.h"
#include "vm/numpy/npy.h"

namespace {

using wse::reference::AcousticCommand;
using wse::reference::AcousticOptions;
using wse::reference::Coefficients;
using wse::reference::Field;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// [ny, nx, nz] of f32.
std::vector<float> read_cells(const std::string& file, const AcousticOptions& options) {
  wse::isa::InputList inputs;
  const auto array = wse::numpy::read_npy(file, inputs);
  const std::vector<std::uint64_t> shape{options.ny, options.nx, options.nz};
  const std::vector<std::uint64_t> flat{options.ny, options.nx};
  const bool fits = array && array->dtype == "<f4" &&
                    (array->shape == shape || (options.nz == 1 && array->shape == flat));
  if (!fits) {
    fmt::print(stderr, "acoustic-reference: {}: {}\n", file,
               array ? "not an f32 array of shape [ny, nx, nz]" : array.error().message);
    std::exit(2);
  }
  std::vector<float> cells(options.nx * options.ny * options.nz);
  std::memcpy(cells.data(), array->data.data(), cells.size() * sizeof(float));
  return cells;
}

// Calls see(cell of the field, number in a file) for all cells.
template <class Real, class See>
void each_cell(const AcousticOptions& options, const Field<Real>& field, See see) {
  std::size_t number = 0;
  for (std::uint64_t y = 0; y < options.ny; ++y) {
    for (std::uint64_t x = 0; x < options.nx; ++x) {
      for (std::uint64_t z = 0; z < options.nz; ++z) see(field.at(x, y, z), number++);
    }
  }
}

template <class Real>
void load(const AcousticOptions& options, const std::string& file, Field<Real>& field) {
  if (file.empty()) return;
  const std::vector<float> given = read_cells(file, options);
  each_cell(options, field, [&](std::size_t cell, std::size_t k) {
    field.cells[cell] = static_cast<Real>(given[k]);
  });
}

template <class Real>
void print_log(const AcousticCommand& command) {
  const AcousticOptions& options = command.options;
  const auto three = [](const char* name, auto a, auto b, auto c) {
    fmt::print(" {:<20} = {:>14} {:>14} {:>14}\n", name, a, b, c);
  };
  const auto one = [](const char* name, const auto& a) {
    fmt::print(" {:<20} = {:>14}\n", name, a);
  };
  one("nthreads", command.quick ? wse::reference::quick_threads() : 1);
  three("ngrid", options.nx, options.ny, options.nz);
  three("dgrid", options.dx, options.dy, options.dz);
  one("nsteps", options.steps);
  one("fmax", options.fmax);
  one("vmin", options.velocity);
  one("vmax", options.velocity);
  one("cfl", options.dt / wse::reference::stable_dt(options));
  one("dt", options.dt);
  three("stencil", wse::reference::kReach, wse::reference::kReach, wse::reference::kReach);
  three("source_loc", options.source_x, options.source_y, options.source_z);
  one("precision", command.quick ? "float" : command.precision.c_str());
}

void step(const AcousticCommand& command, const Coefficients<float>& c, const Field<float>& now,
          Field<float>& before) {
  if (command.quick) return wse::reference::step_quickly(command.options, c, now, before);
  wse::reference::step_plainly(command.options, c, now, before);
}

void step(const AcousticCommand& command, const Coefficients<double>& c, const Field<double>& now,
          Field<double>& before) {
  wse::reference::step_plainly(command.options, c, now, before);
}

// min and max of the last field; its comparison with a file.
template <class Real>
bool report(const AcousticCommand& command, const Field<Real>& field) {
  const AcousticOptions& options = command.options;
  std::vector<float> given;
  if (!command.compare.empty()) given = read_cells(command.compare, options);
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  double worst = 0;
  each_cell(options, field, [&](std::size_t cell, std::size_t k) {
    const auto value = static_cast<double>(field.cells[cell]);
    low = std::fmin(low, value);
    high = std::fmax(high, value);
    if (given.empty()) return;
    const double off = std::fabs(static_cast<double>(given[k]) - value);
    if (!(off <= worst)) worst = off;  // NaN counts as the largest
  });
  fmt::print(" {:<20} = {:>14.7g} {:>14.7g}\n", "min, max", low, high);
  if (given.empty()) return true;
  const double largest = std::fmax(std::fabs(low), std::fabs(high));
  const double relative = largest > 0 ? worst / largest : worst;
  const bool good = relative <= command.tolerance;
  fmt::print(" {} cells compared: {:.2e} of the largest value off, {} {:.0e}\n", given.size(),
             relative, good ? "within" : "BEYOND", command.tolerance);
  return good;
}

template <class Real>
void save(const AcousticCommand& command, const Field<Real>& field) {
  if (command.out.empty()) return;
  const AcousticOptions& options = command.options;
  wse::numpy::NpyArray array{"<f4", {options.ny, options.nx, options.nz}, {}};
  array.data.resize(options.nx * options.ny * options.nz * sizeof(float));
  each_cell(options, field, [&](std::size_t cell, std::size_t k) {
    const auto value = static_cast<float>(field.cells[cell]);
    std::memcpy(array.data.data() + k * sizeof value, &value, sizeof value);
  });
  wse::isa::InputList inputs;
  if (const auto written = wse::numpy::write_npy(command.out, inputs, array); !written) {
    fmt::print(stderr, "acoustic-reference: {}\n", written.error().message);
    std::exit(3);
  }
}

template <class Real>
int run(const AcousticCommand& command) {
  const double begin = seconds();
  const AcousticOptions& options = command.options;
  Field<Real> now(options);
  Field<Real> before(options);
  load(options, command.in, now);
  load(options, command.before, before);
  const Coefficients<Real> coefficients(options);
  print_log<Real>(command);
  double kernel = 0;
  for (std::uint64_t n = 0; n < options.steps; ++n) {
    const double start = seconds();
    step(command, coefficients, now, before);
    kernel += seconds() - start;
    std::swap(now, before);
    if (options.has_source) {
      now.cells[now.at(options.source_x, options.source_y, options.source_z)] +=
          static_cast<Real>(wse::reference::source_value(options, n));
    }
    if (command.verbose && (n + 1) % 100 == 0) {
      fmt::print(" time step {:>8} / {:>8}\n", n + 1, options.steps);
    }
  }
  const bool good = report(command, now);
  save(command, now);
  fmt::print(" {:<20} {:>14.3f}\n {:<20} {:>14.3f}\n", "Time Kernel", kernel, "Time Modeling",
             seconds() - begin);
  const auto cells = static_cast<double>(options.nx * options.ny * options.nz * options.steps);
  fmt::print(" {:<20} {:>14.4g} Gcell/s\n", "Speed", cells / kernel / 1e9);
  if (command.quick) {
    // A step reads two fields and writes one.
    const double moved = 3 * sizeof(Real) * cells / kernel / 1e9;
    const double triad = wse::reference::triad_bandwidth();
    fmt::print(" {:<20} {:>14.4g} GB/s, {:.0f} % of triad ({:.4g} GB/s)\n", "Memory", moved,
               100 * moved / triad, triad);
  }
  return good ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const AcousticCommand command = wse::reference::read_arguments(count, arguments);
  if (command.quick || command.precision == "float") return run<float>(command);
  return run<double>(command);
}
