// Arguments that the commands of modelling have in common: those of scripts/stencil/minimod.lua.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tests/reference/modelling.h"

namespace wse::reference {

struct SurveyArguments {
  std::vector<std::uint64_t> sizes{100, 100, 100};
  std::vector<double> spacing{20, 20, 20};
  std::vector<std::uint64_t> layers{27};
  std::vector<std::uint64_t> source{};
  std::vector<std::uint64_t> receivers{};
  std::string velocity_file{};
  std::string wavefield{};    // to compare with the last values
  std::string seismograms{};  // to compare with the traces
  double tolerance = 0;       // of the largest absolute value; 0: kTimesFloat
};

inline constexpr double kTimesFloat =
    10;  // how much farther than float a run may be, without --tolerance

// Adds the options to a command, which refuses what is wrong by its name.
void add_survey_options(CLI::App& app, SurveyArguments& survey, ModellingOptions& options);

// Parses the arguments; ends the command with exit code 2 if they are wrong.
void parse_arguments(CLI::App& app, int count, char** arguments);

// Sets the grid, the layers, the source, the receivers and the velocities of options. stable_dt:
// the largest dt of their equations; has_surface: there are no layers at z = 0.
void finish_survey(const char* command, const SurveyArguments& survey,
                   double (*stable_dt)(const AcousticOptions&), bool has_surface,
                   ModellingOptions& options);

// Returns the tolerance of a comparison with values of which float is so far off double.
double tolerance_of(const SurveyArguments& survey, double float_apart);

}  // namespace wse::reference
