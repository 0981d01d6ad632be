// modelling-reference: acoustic modelling in plain C++; `--help` has all options. Prints the
// smallest and the largest value of the last wavefield in double and in float, and how far they are
// apart. Compares a wavefield and seismograms of wsevm: exit 1 if they differ too much.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/reference/comparison.h"
#include "tests/reference/modelling.h"

namespace {

using wse::reference::Cell;
using wse::reference::compare;
using wse::reference::distance;
using wse::reference::Modelled;
using wse::reference::ModellingOptions;
using wse::reference::read_numbers;
using wse::reference::refuse;

constexpr const char* kName = "modelling-reference";
constexpr double kTimesFloat = 10;  // how much farther than float a run may be, without --tolerance

struct Command {
  ModellingOptions options{};
  std::string velocity_file{};
  std::string wavefield{};    // to compare with the last one
  std::string seismograms{};  // to compare with the traces
  double tolerance = 0;       // of the largest absolute value; 0: kTimesFloat
};

Cell cell_of(const ModellingOptions& options, const std::vector<std::uint64_t>& list,
             std::size_t first) {
  const Cell cell{list[first], list[first + 1], list[first + 2]};
  const auto& grid = options.grid;
  if (cell.x >= grid.nx || cell.y >= grid.ny || cell.z >= grid.nz)
    refuse(kName, "a cell lies outside");
  return cell;
}

Command read_arguments(int count, char** arguments) {
  Command command;
  ModellingOptions& options = command.options;
  auto& grid = options.grid;
  std::vector<std::uint64_t> sizes{100, 100, 100};
  std::vector<double> spacing{20, 20, 20};
  std::vector<std::uint64_t> layers{27};
  std::vector<std::uint64_t> source;
  std::vector<std::uint64_t> receivers;
  CLI::App app{"Acoustic modelling with absorbing layers, in plain C++"};
  app.add_option("--ngrid", sizes, "grid size")->delimiter(',')->expected(3);
  app.add_option("--dgrid", spacing, "grid spacing")->delimiter(',')->expected(3);
  app.add_option("--nsteps", grid.steps, "time steps");
  app.add_option("--fmax", grid.fmax, "maximum frequency of the source");
  app.add_option("--velocity", options.velocity, "m/s, the same everywhere");
  app.add_option("--velocity_file", command.velocity_file, ".npy of f32, (ny, nx, nz)");
  app.add_option("--vmax", grid.velocity, "decides the time step and the layers");
  app.add_option("--pml", layers, "layers: one width or x low, x high, y low, ...")->delimiter(',');
  bool stretched = false;
  app.add_flag("--cpml", stretched, "layers that stretch each axis by itself");
  app.add_option("--source_loc", source, "cell x,y,z")->delimiter(',')->expected(3);
  app.add_option("--receivers", receivers, "cells x,y,z,x,y,z,...")->delimiter(',');
  app.add_option("--wavefield", command.wavefield, "compare the last wavefield with this .npy");
  app.add_option("--seismograms", command.seismograms, "compare the traces with this .npy");
  app.add_option("--tolerance", command.tolerance, "of the largest absolute value");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  if (stretched) options.absorber = wse::reference::Absorber::kCpml;
  grid.nx = sizes[0], grid.ny = sizes[1], grid.nz = sizes[2];
  grid.dx = spacing[0], grid.dy = spacing[1], grid.dz = spacing[2];
  grid.dt = wse::reference::kCfl * wse::reference::stable_dt(grid);
  if (layers.size() == 1) layers.assign(options.layers.size(), layers[0]);
  if (layers.size() != options.layers.size()) refuse(kName, "--pml: one width or six are wanted");
  for (std::size_t k = 0; k < layers.size(); ++k) {
    options.layers[k] = sizes[k / 2] == 1 ? 0 : layers[k];
  }
  const auto place = [](std::uint64_t size) { return std::min(size / 2 + 4, size - 1); };
  if (source.empty()) source = {place(grid.nx), place(grid.ny), place(grid.nz)};
  const Cell shot = cell_of(options, source, 0);
  grid.source_x = shot.x, grid.source_y = shot.y, grid.source_z = shot.z;
  if (receivers.size() % 3 != 0) refuse(kName, "--receivers: three numbers for each are wanted");
  for (std::size_t k = 0; k < receivers.size(); k += 3) {
    options.receivers.push_back(cell_of(options, receivers, k));
  }
  if (!command.velocity_file.empty()) {
    options.velocities = read_numbers(kName, command.velocity_file, grid.nx * grid.ny * grid.nz);
  }
  return command;
}

void print_extremes(const char* name, const std::vector<double>& cells) {
  const auto [low, high] = std::ranges::minmax_element(cells);
  fmt::print(" {:<20} = {:>14.7g} {:>14.7g}\n", name, *low, *high);
}

}  // namespace

int main(int count, char** arguments) {
  const Command command = read_arguments(count, arguments);
  const Modelled in_double = wse::reference::model<double>(command.options);
  const Modelled in_float = wse::reference::model<float>(command.options);
  print_extremes("min, max in double", in_double.cells);
  print_extremes("min, max in float", in_float.cells);
  const double cells_apart = distance(in_float.cells, in_double.cells);
  const double traces_apart = distance(in_float.traces, in_double.traces);
  fmt::print(" {:<20} = {:>14.2e}\n", "float off double", cells_apart);
  const auto tolerance = [&](double apart) {
    return command.tolerance > 0 ? command.tolerance : kTimesFloat * apart;
  };
  const bool cells_good =
      compare(kName, "wavefield", command.wavefield, in_double.cells, tolerance(cells_apart));
  const bool traces_good =
      compare(kName, "seismograms", command.seismograms, in_double.traces, tolerance(traces_apart));
  return cells_good && traces_good ? 0 : 1;
}
