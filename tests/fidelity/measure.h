// Runs the program of a row and reads its cycles. Must never know a measured number.
#pragma once

#include <filesystem>

#include "isa/machine/profile.h"
#include "tests/fidelity/rows.h"

namespace wse::fidelity {

// Cycles of the run, by the rule of the row, without the instrument. Errors: the program does not
// assemble, run to its end or meet its expectations, or the run holds nothing for the rule.
isa::Result<double> simulated_cycles(const Row& row, const std::filesystem::path& root,
                                     const isa::Profile& profile);

// The same on the row's machine.
isa::Result<double> simulated_cycles(const Row& row, const std::filesystem::path& root);

// What the simulated cycles, with the instrument, are off the measured ones, in percent.
double error_percent(const Row& row, double simulated);

// The most that error_percent of a row may be.
double tolerance_percent(const Row& row);

// Whether the row holds with these simulated cycles; a bound may be any number of them below.
bool holds(const Row& row, double simulated);

}  // namespace wse::fidelity
