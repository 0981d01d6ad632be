// staggered-reference: waves of first order in plain C++; `--help` has all options. Prints how far
// float is off double for each field. Compares wavefields and seismograms of wsevm with double:
// exit 1 if they differ too much.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

#include "tests/reference/comparison.h"
#include "tests/reference/staggered.h"

namespace {

using wse::reference::Cell;
using wse::reference::refuse;
using wse::reference::StaggeredOptions;
using wse::reference::Wave;
using wse::reference::Waves;

constexpr const char* kName = "staggered-reference";
constexpr double kTimesFloat = 10;  // how much farther than float a run may be, without --tolerance

struct Command {
  StaggeredOptions options{};
  std::vector<std::string> fields{"p"};
  std::string velocity_file{};
  std::string shear_file{};
  std::string density_file{};
  std::string
      wavefield{};  // folder and begin of the names of files to compare with the last values
  std::string seismograms{};  // the same, of traces
  std::string source = "pressure";
  std::vector<double> moment{};
  double tolerance = 0;  // of the largest absolute value; 0: kTimesFloat
};

Cell cell_of(const StaggeredOptions& options, const std::vector<std::uint64_t>& list,
             std::size_t first) {
  const Cell cell{list[first], list[first + 1], list[first + 2]};
  const auto& grid = options.model.grid;
  if (cell.x >= grid.nx || cell.y >= grid.ny || cell.z >= grid.nz)
    refuse(kName, "a cell lies outside");
  return cell;
}

std::size_t field_of(const std::string& name) {
  const std::size_t wave = wse::reference::wave_of(name);
  if (wave == wse::reference::kWaves) refuse(kName, name + " is not a field");
  return wave;
}

void set_source(Command& command) {
  auto& source = command.options.source;
  if (command.source.starts_with("force_")) {
    source[field_of("v" + command.source.substr(6))] = 1;
  } else if (command.source == "moment") {
    if (command.moment.size() != 6) refuse(kName, "--moment: six numbers are wanted");
    const char* const names[] = {"sxx", "syy", "szz", "sxy", "sxz", "syz"};
    for (std::size_t k = 0; k < 6; ++k) source[field_of(names[k])] = command.moment[k];
  } else if (command.options.is_elastic) {
    for (const char* name : {"sxx", "syy", "szz"}) source[field_of(name)] = 1;
  } else {
    source[field_of("p")] = 1;
  }
}

void set_layers(StaggeredOptions& options, std::vector<std::uint64_t> layers,
                const std::vector<std::uint64_t>& sizes) {
  auto& own = options.model.layers;
  if (layers.size() == 1) layers.assign(own.size(), layers[0]);
  if (layers.size() != own.size()) refuse(kName, "--pml: one width or six are wanted");
  for (std::size_t k = 0; k < layers.size(); ++k) own[k] = sizes[k / 2] == 1 ? 0 : layers[k];
  if (options.has_surface) own[4] = 0;
}

void read_medium(Command& command) {
  StaggeredOptions& options = command.options;
  const auto& grid = options.model.grid;
  const std::size_t cells = grid.nx * grid.ny * grid.nz;
  const auto read = [&](const std::string& file, std::vector<float>& values) {
    if (!file.empty()) values = wse::reference::read_numbers(kName, file, cells);
  };
  read(command.velocity_file, options.model.velocities);
  read(command.shear_file, options.shears);
  read(command.density_file, options.densities);
}

Command read_arguments(int count, char** arguments) {
  Command command;
  StaggeredOptions& options = command.options;
  auto& grid = options.model.grid;
  std::vector<std::uint64_t> sizes{100, 100, 100};
  std::vector<double> spacing{20, 20, 20};
  std::vector<std::uint64_t> layers{27};
  std::vector<std::uint64_t> source;
  std::vector<std::uint64_t> receivers;
  CLI::App app{"Acoustic and elastic waves of first order, in plain C++"};
  app.add_flag("--elastic", options.is_elastic, "elastic waves; without it acoustic ones");
  app.add_flag("--surface", options.has_surface, "a free surface at z = 0");
  app.add_option("--ngrid", sizes, "grid size")->delimiter(',')->expected(3);
  app.add_option("--dgrid", spacing, "grid spacing")->delimiter(',')->expected(3);
  app.add_option("--nsteps", grid.steps, "time steps");
  app.add_option("--fmax", grid.fmax, "maximum frequency of the source");
  app.add_option("--velocity", options.model.velocity, "m/s, the same everywhere");
  app.add_option("--shear", options.shear, "m/s, the same everywhere");
  app.add_option("--density", options.density, "kg/m^3, the same everywhere");
  app.add_option("--velocity_file", command.velocity_file, ".npy of f32, (ny, nx, nz)");
  app.add_option("--shear_file", command.shear_file, ".npy of f32, (ny, nx, nz)");
  app.add_option("--density_file", command.density_file, ".npy of f32, (ny, nx, nz)");
  app.add_option("--vmax", grid.velocity, "decides the time step and the layers");
  app.add_option("--pml", layers, "layers: one width or x low, x high, y low, ...")->delimiter(',');
  app.add_option("--source", command.source, "pressure, force_x, force_y, force_z or moment");
  app.add_option("--moment", command.moment, "xx, yy, zz, xy, xz, yz")->delimiter(',');
  app.add_option("--source_loc", source, "cell x,y,z")->delimiter(',')->expected(3);
  app.add_option("--receivers", receivers, "cells x,y,z,x,y,z,...")->delimiter(',');
  app.add_option("--fields", command.fields, "which are compared")->delimiter(',');
  app.add_option("--wavefield", command.wavefield,
                 "compare the last values with U.npy, U_FIELD.npy for U");
  app.add_option("--seismograms", command.seismograms,
                 "compare the traces with S.npy, S_FIELD.npy for S");
  app.add_option("--tolerance", command.tolerance, "of the largest absolute value");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  grid.nx = sizes[0], grid.ny = sizes[1], grid.nz = sizes[2];
  grid.dx = spacing[0], grid.dy = spacing[1], grid.dz = spacing[2];
  grid.dt = wse::reference::kCfl * wse::reference::staggered_stable_dt(grid);
  set_layers(options, layers, sizes);
  set_source(command);
  const auto place = [](std::uint64_t size) { return std::min(size / 2 + 4, size - 1); };
  if (source.empty()) source = {place(grid.nx), place(grid.ny), place(grid.nz)};
  const Cell shot = cell_of(options, source, 0);
  grid.source_x = shot.x, grid.source_y = shot.y, grid.source_z = shot.z;
  if (receivers.size() % 3 != 0) refuse(kName, "--receivers: three numbers for each are wanted");
  for (std::size_t k = 0; k < receivers.size(); k += 3) {
    options.model.receivers.push_back(cell_of(options, receivers, k));
  }
  for (const std::string& name : command.fields)
    options.recorded.push_back(static_cast<Wave>(field_of(name)));
  read_medium(command);
  return command;
}

}  // namespace

int main(int count, char** arguments) {
  const Command command = read_arguments(count, arguments);
  const Waves in_double = wse::reference::staggered<double>(command.options);
  const Waves in_float = wse::reference::staggered<float>(command.options);
  bool good = true;
  for (std::size_t k = 0; k < command.fields.size(); ++k) {
    const std::string& name = command.fields[k];
    const std::size_t wave = field_of(name);
    const auto file = [&](const std::string& begin) {
      return begin.empty() ? "" : begin + (k == 0 ? "" : "_" + name) + ".npy";
    };
    const double apart = wse::reference::distance(in_float.cells[wave], in_double.cells[wave]);
    const double traces_apart = wse::reference::distance(in_float.traces[k], in_double.traces[k]);
    fmt::print(" {:<3} float off double = {:.2e}\n", name, apart);
    const auto tolerance = [&](double own) {
      return command.tolerance > 0 ? command.tolerance : kTimesFloat * own;
    };
    good = wse::reference::compare(kName, name, file(command.wavefield), in_double.cells[wave],
                                   tolerance(apart)) &&
           good;
    good = wse::reference::compare(kName, "traces of " + name, file(command.seismograms),
                                   in_double.traces[k], tolerance(traces_apart)) &&
           good;
  }
  return good ? 0 : 1;
}
