// modelling-reference: acoustic modelling in plain C++; `--help` has all options. Prints the
// smallest and the largest value of the last wavefield in double and in float, and how far they are
// apart. Compares a wavefield and seismograms of wsevm: exit 1 if they differ too much.
#include <fmt/format.h>

#include <algorithm>

#include "tests/reference/comparison.h"
#include "tests/reference/survey_arguments.h"

namespace {

using wse::reference::compare;
using wse::reference::distance;
using wse::reference::Modelled;
using wse::reference::ModellingOptions;
using wse::reference::SurveyArguments;

constexpr const char* kName = "modelling-reference";

void print_extremes(const char* name, const std::vector<double>& cells) {
  const auto [low, high] = std::ranges::minmax_element(cells);
  fmt::print(" {:<20} = {:>14.7g} {:>14.7g}\n", name, *low, *high);
}

}  // namespace

int main(int count, char** arguments) {
  ModellingOptions options;
  SurveyArguments survey;
  CLI::App app{"Acoustic modelling with absorbing layers, in plain C++"};
  bool stretched = false;
  add_survey_options(app, survey, options);
  app.add_flag("--cpml", stretched, "layers that stretch each axis by itself");
  wse::reference::parse_arguments(app, count, arguments);
  if (stretched) options.absorber = wse::reference::Absorber::kCpml;
  finish_survey(kName, survey, wse::reference::stable_dt, false, options);
  const Modelled in_double = wse::reference::model<double>(options);
  const Modelled in_float = wse::reference::model<float>(options);
  print_extremes("min, max in double", in_double.cells);
  print_extremes("min, max in float", in_float.cells);
  const double cells_apart = distance(in_float.cells, in_double.cells);
  const double traces_apart = distance(in_float.traces, in_double.traces);
  fmt::print(" {:<20} = {:>14.2e}\n", "float off double", cells_apart);
  const bool cells_good = compare(kName, "wavefield", survey.wavefield, in_double.cells,
                                  tolerance_of(survey, cells_apart));
  const bool traces_good = compare(kName, "seismograms", survey.seismograms, in_double.traces,
                                   tolerance_of(survey, traces_apart));
  return cells_good && traces_good ? 0 : 1;
}
