// Options of acoustic-reference.
#include "tests/reference/acoustic_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>

#include "tests/support/tolerances.h"

namespace wse::reference {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  fmt::print(stderr, "acoustic-reference: {}\n", message);
  std::exit(2);
}

void finish(AcousticCommand& command, const std::vector<std::uint64_t>& source) {
  AcousticOptions& options = command.options;
  if (source.empty()) {
    options.source_x = options.nx / 2;
    options.source_y = options.ny / 2;
    options.source_z = options.nz / 2;
  } else {
    options.source_x = source[0];
    options.source_y = source[1];
    options.source_z = source[2];
  }
  if (options.nx == 0 || options.ny == 0 || options.nz == 0)
    refuse("--ngrid: sizes are at least 1");
  if (options.source_x >= options.nx || options.source_y >= options.ny ||
      options.source_z >= options.nz) {
    refuse("--source_loc lies outside of the grid");
  }
  const double stable = stable_dt(options);
  if (options.dt == 0) options.dt = kCfl * stable;
  if (options.dt > stable && !command.force) {
    refuse(
        fmt::format("--dt {} is not stable: at most {} is; --force runs it", options.dt, stable));
  }
}

}  // namespace

AcousticCommand read_arguments(int count, char** arguments) {
  AcousticCommand command;
  AcousticOptions& options = command.options;
  std::vector<std::uint64_t> grid{options.nx, options.ny, options.nz};
  std::vector<double> spacing{options.dx, options.dy, options.dz};
  std::vector<std::uint64_t> source;
  bool no_source = false;
  command.tolerance = test_support::kStencilTolerance;
  CLI::App app{"The acoustic wave equation with 25 points, in plain C++"};
  app.add_option("--ngrid", grid, "grid size")->delimiter(',')->expected(3);
  app.add_option("--dgrid", spacing, "grid spacing")->delimiter(',')->expected(3);
  app.add_option("--nsteps", options.steps, "time steps");
  app.add_option("--fmax", options.fmax, "maximum frequency of the source");
  app.add_flag("--verbose", command.verbose, "print information");
  app.add_option("--velocity", options.velocity, "m/s, the same everywhere");
  app.add_option("--dt", options.dt, "time step; without it 0.8 of the largest stable one");
  app.add_option("--source_loc", source, "cell x,y,z of the source; without it the middle")
      ->delimiter(',')
      ->expected(3);
  app.add_flag("--no_source", no_source, "without a source");
  app.add_option("--precision", command.precision, "double or float")
      ->check(CLI::IsMember({"double", "float"}));
  app.add_flag("--quick", command.quick, "the optimised steps, in float; reports GB/s");
  app.add_flag("--force", command.force, "run a time step that is not stable");
  app.add_option("--in", command.in, "field at the beginning, .npy");
  app.add_option("--before", command.before, "the field before it, .npy");
  app.add_option("--out", command.out, "the last field, .npy of f32");
  app.add_option("--compare", command.compare, "compare the last field with this one, .npy");
  app.add_option("--tolerance", command.tolerance, "of the largest absolute value");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  options.nx = grid[0], options.ny = grid[1], options.nz = grid[2];
  options.dx = spacing[0], options.dy = spacing[1], options.dz = spacing[2];
  options.has_source = !no_source;
  if (command.quick && quick_threads() == 0) refuse("--quick: built by a compiler without OpenMP");
  finish(command, source);
  return command;
}

}  // namespace wse::reference
