// staggered-reference: waves of first order in plain C++; `--help` has all options. Prints how far
// float is off double for each field. Compares wavefields and seismograms of wsevm with double:
// exit 1 if they differ too much.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/reference/comparison.h"
#include "tests/reference/staggered.h"
#include "tests/reference/survey_arguments.h"
#include "tests/reference/tilted.h"

namespace {

using wse::reference::MediumValues;
using wse::reference::refuse;
using wse::reference::StaggeredOptions;
using wse::reference::Tilted;
using wse::reference::TiltedOptions;

constexpr const char* kName = "staggered-reference";

// The propagators in tilted media, by name.
const std::map<std::string, Tilted> kTilted{{"acoustic_tti", Tilted::kAcoustic},
                                            {"elastic_tti", Tilted::kElastic},
                                            {"elastic_tti_approx", Tilted::kApproximate}};

struct Command {
  wse::reference::SurveyArguments survey{};
  TiltedOptions options{};  // of all propagators
  std::string propagator = "acoustic_iso";
  std::vector<std::string> fields{"p"};
  std::string source = "pressure";
  std::vector<double> moment{};
  std::map<std::string, std::string> files{};  // of the values of a medium, by name
};

// The last values of a field, and its traces.
struct FieldOfRun {
  std::vector<double> cells{};
  std::vector<double> traces{};
};

// Returns the values of a medium by their names.
std::map<std::string, MediumValues*> values_of(TiltedOptions& options) {
  return {{"density", &options.density}, {"shear", &options.shear}, {"epsilon", &options.epsilon},
          {"delta", &options.delta},     {"gamma", &options.gamma}, {"theta", &options.theta},
          {"phi", &options.phi}};
}

void set_source(Command& command) {
  auto& source = command.options.source;
  if (command.source.starts_with("force_")) {
    source["v" + command.source.substr(6)] = 1;
  } else if (command.source == "moment") {
    if (command.moment.size() != 6) refuse(kName, "--moment: six numbers are wanted");
    const char* const names[] = {"sxx", "syy", "szz", "sxy", "sxz", "syz"};
    for (std::size_t k = 0; k < 6; ++k) source[names[k]] = command.moment[k];
  } else if (command.propagator.starts_with("elastic")) {
    for (const char* name : {"sxx", "syy", "szz"}) source[name] = 1;
  } else {
    source["p"] = 1;
  }
}

Command read_arguments(int count, char** arguments) {
  Command command;
  TiltedOptions& options = command.options;
  CLI::App app{"Acoustic and elastic waves of first order, in plain C++"};
  add_survey_options(app, command.survey, options.model);
  app.add_option("--propagator", command.propagator,
                 "acoustic_iso, elastic_iso, acoustic_tti, elastic_tti or elastic_tti_approx");
  app.add_flag("--surface", options.has_surface, "a free surface at z = 0");
  for (const auto& [name, values] : values_of(options)) {
    app.add_option("--" + name, values->same, "the same everywhere");
    app.add_option("--" + name + "_file", command.files[name], ".npy of f32, (ny, nx, nz)");
  }
  app.add_option("--source", command.source, "pressure, force_x, force_y, force_z or moment");
  app.add_option("--moment", command.moment, "xx, yy, zz, xy, xz, yz")->delimiter(',');
  app.add_option(
         "--fields", command.fields,
         "which are compared, the first with the file of --wavefield, others with FILE_FIELD.npy")
      ->delimiter(',');
  wse::reference::parse_arguments(app, count, arguments);
  const bool is_known = command.propagator == "acoustic_iso" ||
                        command.propagator == "elastic_iso" || kTilted.contains(command.propagator);
  if (!is_known) refuse(kName, command.propagator + " is not a propagator");
  finish_survey(kName, command.survey, wse::reference::staggered_stable_dt, options.has_surface,
                options.model);
  set_source(command);
  options.recorded = command.fields;
  const auto& grid = options.model.grid;
  for (const auto& [name, values] : values_of(options)) {
    const std::string& file = command.files[name];
    if (!file.empty())
      values->cells = wse::reference::read_numbers(kName, file, grid.nx * grid.ny * grid.nz);
  }
  return command;
}

// Returns the fields of a run in an isotropic medium.
template <class Real>
std::map<std::string, FieldOfRun> isotropic(const Command& command) {
  const TiltedOptions& given = command.options;
  StaggeredOptions options;
  options.model = given.model;
  options.is_elastic = command.propagator == "elastic_iso";
  options.has_surface = given.has_surface;
  options.shear = given.shear.same, options.shears = given.shear.cells;
  options.density = given.density.same, options.densities = given.density.cells;
  const auto wave_of = [](const std::string& name) {
    const std::size_t wave = wse::reference::wave_of(name);
    if (wave == wse::reference::kWaves) refuse(kName, name + " is not a field");
    return wave;
  };
  for (const auto& [name, factor] : given.source) options.source[wave_of(name)] = factor;
  for (const std::string& name : command.fields)
    options.recorded.push_back(static_cast<wse::reference::Wave>(wave_of(name)));
  const auto waves = wse::reference::staggered<Real>(options);
  std::map<std::string, FieldOfRun> fields;
  for (std::size_t k = 0; k < command.fields.size(); ++k)
    fields[command.fields[k]] = {waves.cells[wave_of(command.fields[k])], waves.traces[k]};
  return fields;
}

// Returns the fields of a run.
template <class Real>
std::map<std::string, FieldOfRun> run(Command& command) {
  const auto kind = kTilted.find(command.propagator);
  if (kind == kTilted.end()) return isotropic<Real>(command);
  command.options.kind = kind->second;
  const auto waves = wse::reference::tilted<Real>(command.options);
  std::map<std::string, FieldOfRun> fields;
  for (const std::string& name : command.fields) {
    if (!waves.cells.contains(name)) refuse(kName, name + " is not a field");
    fields[name] = {waves.cells.at(name), waves.traces.at(name)};
  }
  return fields;
}

// Returns the file of a field: that of the first one is named by the argument alone.
std::string file_of(const Command& command, const std::string& begin, const std::string& name) {
  if (begin.empty()) return "";
  return begin + (name == command.fields[0] ? "" : "_" + name) + ".npy";
}

}  // namespace

int main(int count, char** arguments) {
  Command command = read_arguments(count, arguments);
  const auto in_double = run<double>(command);
  const auto in_float = run<float>(command);
  bool good = true;
  for (const std::string& name : command.fields) {
    const FieldOfRun& wanted = in_double.at(name);
    const double apart = wse::reference::distance(in_float.at(name).cells, wanted.cells);
    const double traces_apart = wse::reference::distance(in_float.at(name).traces, wanted.traces);
    fmt::print(" {:<3} float off double = {:.2e}\n", name, apart);
    good = wse::reference::compare(kName, name, file_of(command, command.survey.wavefield, name),
                                   wanted.cells, tolerance_of(command.survey, apart)) &&
           good;
    good = wse::reference::compare(kName, "traces of " + name,
                                   file_of(command, command.survey.seismograms, name),
                                   wanted.traces, tolerance_of(command.survey, traces_apart)) &&
           good;
  }
  return good ? 0 : 1;
}
