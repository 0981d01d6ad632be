// fidelity: runs every row of rows.csv and prints the table of tests/fidelity/README.md.
// Exit code: 0, also if rows are off, 1 if one cannot be run, 2 wrong usage.
// Must never judge more than a column says: fidelity_test.cpp does.
#include <fmt/format.h>

#include <cmath>

#include "tests/fidelity/measure.h"
#include "tests/support/files.h"

namespace wse::fidelity {
namespace {

constexpr std::string_view kHead =
    "| measured elsewhere | on | cycles | here | instrument | error | may be | |\n"
    "|---|---|--:|--:|--:|--:|--:|---|\n";

std::string remark(const Row& row, double cycles) {
  if (!holds(row, cycles)) return "not explained";
  switch (row.use) {
    case Use::Fit: return "";
    case Use::HeldBack: return "held back";
    case Use::Compare: return "code not known";
    case Use::Bound: return "bounds the task start";
  }
  return "";
}

// To a tenth, and never -0.
double rounded(double percent) { return std::round(10 * percent) / 10 + 0.0; }

bool print_row(const Row& row, const std::filesystem::path& root) {
  const isa::Result<double> cycles = simulated_cycles(row, root);
  if (!cycles) {
    fmt::print(stderr, "fidelity: {}\n", cycles.error());
    return false;
  }
  const double error = error_percent(row, *cycles);
  fmt::print("| {} | {} | {} | {} | {} | {:.1f} % | {:.1f} % | {} |\n", row.name, row.machine.name,
             row.measured, *cycles, row.instrument, rounded(error), tolerance_percent(row),
             remark(row, *cycles));
  return true;
}

int run() {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  const auto rows = parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  if (!rows) {
    fmt::print(stderr, "fidelity: rows.csv, {}\n", rows.error());
    return 1;
  }
  fmt::print("{}", kHead);
  bool fine = true;
  for (const Row& row : *rows) fine = print_row(row, root) && fine;
  return fine ? 0 : 1;
}

}  // namespace
}  // namespace wse::fidelity

int main(int argc, char**) {
  if (argc != 1) {
    fmt::print(stderr, "usage: fidelity\n");
    return 2;
  }
  return wse::fidelity::run();
}
