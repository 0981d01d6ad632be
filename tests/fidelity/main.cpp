// fidelity [rows | products]: runs every row of rows.csv, of products.csv or of both, and prints
// the tables of tests/fidelity/README.md. Exit code: 0, also if rows are off, 1 if one cannot be
// run, 2 wrong usage. Must never judge more than a column says: fidelity_test.cpp does.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "tests/fidelity/measure.h"
#include "tests/fidelity/products.h"
#include "tests/support/files.h"
#include "tests/support/tolerances.h"

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

constexpr std::string_view kProductsHead =
    "| product on WSE-3 | on | for | cycles | here | error | may be |\n"
    "|---|---|---|--:|--:|--:|--:|\n";

std::string_view text_of(Product::Use use) {
  switch (use) {
    case Product::Use::Fit: return "fit";
    case Product::Use::Check: return "check";
    case Product::Use::Context: return "context";
  }
  return "";
}

void print_product(const Product& row, double cycles) {
  const std::string most =
      row.is_claimed() ? fmt::format("{:.0f} %", tolerance_percent(row)) : "shown";
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} % | {} |\n", row.name(), row.on,
             text_of(row.use), row.measured, cycles, rounded(error_percent(row, cycles)), most);
}

// Of chains only what a PE more takes is claimed: a line of its own after the second of them.
bool print_products(const std::vector<Product>& rows, const std::filesystem::path& root) {
  const isa::Profile wse3 = *isa::find_profile("wse3");
  fmt::print("{}", kProductsHead);
  const Product* chain = nullptr;
  double chain_cycles = 0;
  for (const Product& row : rows) {
    const isa::Result<double> cycles = product_cycles(row, root, wse3);
    if (!cycles) {
      fmt::print(stderr, "fidelity: {}\n", cycles.error());
      return false;
    }
    print_product(row, *cycles);
    if (!row.is_chain()) continue;
    if (chain != nullptr) {
      const double measured = slope(*chain, chain->measured, row, row.measured);
      const double here = slope(*chain, chain_cycles, row, *cycles);
      fmt::print("| {}: a PE more | {} | {} | {:.2f} | {:.2f} | {:.1f} % | {:.0f} % |\n",
                 row.algorithm, row.on, text_of(row.use), measured, here,
                 rounded(100 * (here - measured) / measured), test_support::kChainSlopePercent);
    }
    chain = &row;
    chain_cycles = *cycles;
  }
  return true;
}

bool run_rows(const std::filesystem::path& root) {
  const auto rows = parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  if (!rows) {
    fmt::print(stderr, "fidelity: rows.csv, {}\n", rows.error());
    return false;
  }
  fmt::print("{}", kHead);
  bool fine = true;
  for (const Row& row : *rows) fine = print_row(row, root) && fine;
  return fine;
}

bool run_products(const std::filesystem::path& root) {
  const auto products =
      parse_products(test_support::read_text(root / "tests/fidelity/products.csv"));
  if (products) return print_products(*products, root);
  fmt::print(stderr, "fidelity: products.csv, {}\n", products.error());
  return false;
}

}  // namespace
}  // namespace wse::fidelity

int main(int argc, char** argv) {
  const std::string_view only = argc == 2 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && only != "rows" && only != "products")) {
    fmt::print(stderr, "usage: fidelity [rows | products]\n");
    return 2;
  }
  const std::filesystem::path root = WSE_SOURCE_DIR;
  bool fine = true;
  if (only != "products") fine = wse::fidelity::run_rows(root);
  if (only.empty()) fmt::print("\n");
  if (only != "rows") fine = wse::fidelity::run_products(root) && fine;
  return fine ? 0 : 1;
}
