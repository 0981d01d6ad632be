// Arguments of commands of modelling.
#include "tests/reference/survey_arguments.h"

#include <algorithm>
#include <cstdlib>

#include "tests/reference/comparison.h"

namespace wse::reference {
namespace {

Cell cell_of(const char* command, const AcousticOptions& grid,
             const std::vector<std::uint64_t>& list, std::size_t first) {
  const Cell cell{list[first], list[first + 1], list[first + 2]};
  if (cell.x >= grid.nx || cell.y >= grid.ny || cell.z >= grid.nz)
    refuse(command, "a cell lies outside");
  return cell;
}

}  // namespace

void add_survey_options(CLI::App& app, SurveyArguments& survey, ModellingOptions& options) {
  app.add_option("--ngrid", survey.sizes, "grid size")->delimiter(',')->expected(3);
  app.add_option("--dgrid", survey.spacing, "grid spacing")->delimiter(',')->expected(3);
  app.add_option("--nsteps", options.grid.steps, "time steps");
  app.add_option("--fmax", options.grid.fmax, "maximum frequency of the source");
  app.add_option("--velocity", options.velocity, "m/s, the same everywhere");
  app.add_option("--velocity_file", survey.velocity_file, ".npy of f32, (ny, nx, nz)");
  app.add_option("--vmax", options.grid.velocity, "decides the time step and the layers");
  app.add_option("--pml", survey.layers, "layers: one width or x low, x high, y low, ...")
      ->delimiter(',');
  app.add_option("--source_loc", survey.source, "cell x,y,z")->delimiter(',')->expected(3);
  app.add_option("--receivers", survey.receivers, "cells x,y,z,x,y,z,...")->delimiter(',');
  app.add_option("--wavefield", survey.wavefield, "compare the last values with this .npy");
  app.add_option("--seismograms", survey.seismograms, "compare the traces with this .npy");
  app.add_option("--tolerance", survey.tolerance, "of the largest absolute value");
}

void parse_arguments(CLI::App& app, int count, char** arguments) {
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
}

void finish_survey(const char* command, const SurveyArguments& survey,
                   double (*stable_dt)(const AcousticOptions&), bool has_surface,
                   ModellingOptions& options) {
  auto& grid = options.grid;
  grid.nx = survey.sizes[0], grid.ny = survey.sizes[1], grid.nz = survey.sizes[2];
  grid.dx = survey.spacing[0], grid.dy = survey.spacing[1], grid.dz = survey.spacing[2];
  grid.dt = kCfl * stable_dt(grid);
  std::vector<std::uint64_t> layers = survey.layers;
  if (layers.size() == 1) layers.assign(options.layers.size(), layers[0]);
  if (layers.size() != options.layers.size()) refuse(command, "--pml: one width or six are wanted");
  for (std::size_t k = 0; k < layers.size(); ++k)
    options.layers[k] = survey.sizes[k / 2] == 1 ? 0 : layers[k];
  if (has_surface) options.layers[4] = 0;
  const auto place = [](std::uint64_t size) { return std::min(size / 2 + 4, size - 1); };
  const std::vector<std::uint64_t> middle{place(grid.nx), place(grid.ny), place(grid.nz)};
  const Cell shot = cell_of(command, grid, survey.source.empty() ? middle : survey.source, 0);
  grid.source_x = shot.x, grid.source_y = shot.y, grid.source_z = shot.z;
  if (survey.receivers.size() % 3 != 0)
    refuse(command, "--receivers: three numbers for each are wanted");
  for (std::size_t k = 0; k < survey.receivers.size(); k += 3)
    options.receivers.push_back(cell_of(command, grid, survey.receivers, k));
  if (!survey.velocity_file.empty())
    options.velocities = read_numbers(command, survey.velocity_file, grid.nx * grid.ny * grid.nz);
}

double tolerance_of(const SurveyArguments& survey, double float_apart) {
  return survey.tolerance > 0 ? survey.tolerance : kTimesFloat * float_apart;
}

}  // namespace wse::reference
