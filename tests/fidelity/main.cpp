// fidelity [rows | products | predictions] [--wse2=FILE.lua] [--wse3=FILE.lua]: runs every row of
// rows.csv and of products.csv, or those of one table, and prints the tables of
// tests/fidelity/README.md; `predictions` prints the series of predictions.csv. A file is a machine
// file that takes the place of the profile. Exit code: 0, also if rows are off, 1 if one cannot be
// run, 2 wrong usage. Must never judge more than a column says: fidelity_test.cpp does.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "scripts/host/script.h"
#include "tests/fidelity/measure.h"
#include "tests/fidelity/predictions.h"
#include "tests/fidelity/products.h"
#include "tests/support/files.h"
#include "tests/support/tolerances.h"

namespace wse::fidelity {
namespace {

// The machines on which rows run: the profiles, or what machine files make of them.
struct Machines {
  isa::Profile wse2 = *isa::find_profile("wse2");
  isa::Profile wse3 = *isa::find_profile("wse3");

  // The profile in the place of that of a row.
  const isa::Profile& of(const isa::Profile& profile) const {
    if (profile.name == "wse2") return wse2;
    return profile.name == "wse3" ? wse3 : profile;
  }
};

constexpr std::string_view kHead =
    "| measured elsewhere | on | cycles | here | instrument | error | may be | |\n"
    "|---|---|--:|--:|--:|--:|--:|---|\n";

std::string remark(const Row& row, double cycles) {
  if (row.use == Use::Context) return "shown";
  if (!holds(row, cycles)) return "not explained";
  switch (row.use) {
    case Use::Fit: return "";
    case Use::HeldBack: return "held back";
    case Use::Compare: return "code not known";
    case Use::Bound: return "bounds the task start";
    case Use::Shape: return "details not known";
    case Use::Context: break;
  }
  return "";
}

// To a tenth, and never -0.
double rounded(double percent) { return std::round(10 * percent) / 10 + 0.0; }

bool print_row(const Row& row, const std::filesystem::path& root, const Machines& machines) {
  const isa::Result<double> cycles = simulated_cycles(row, root, machines.of(row.machine));
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
    "| product on WSE-3 | on | for | cycles | here | error | wse3-hardware | error | may be |\n"
    "|---|---|---|--:|--:|--:|--:|--:|--:|\n";

// What a machine makes of a measured number.
std::string cells(double measured, double here, int digits) {
  return fmt::format("{:.{}f} | {:.1f} %", here, digits,
                     rounded(100 * (here - measured) / measured));
}

std::string_view text_of(Product::Use use) {
  switch (use) {
    case Product::Use::Fit: return "fit";
    case Product::Use::Check: return "check";
    case Product::Use::Context: return "context";
  }
  return "";
}

// The cycles of a row on the profile, and of one of hardware on the machine that hardware wants.
struct ProductCycles {
  double profile = 0;
  std::optional<double> hardware;
};

void print_product(const Product& row, const ProductCycles& cycles) {
  const std::string most =
      row.is_claimed() ? fmt::format("{:.0f} %", tolerance_percent(row)) : "shown";
  fmt::print("| {} | {} | {} | {:.1f} | {} | {} | {} |\n", row.name(), row.on, text_of(row.use),
             row.measured, cells(row.measured, cycles.profile, 1),
             cycles.hardware ? cells(row.measured, *cycles.hardware, 1) : " | ", most);
}

// Of chains, which ran on hardware, only what a PE more takes is claimed.
void print_slope(const Product& narrow, const ProductCycles& narrow_cycles, const Product& wide,
                 const ProductCycles& wide_cycles) {
  const double measured = slope(narrow, narrow.measured, wide, wide.measured);
  const auto here = [&](double narrow_here, double wide_here) {
    return cells(measured, slope(narrow, narrow_here, wide, wide_here), 2);
  };
  fmt::print("| {}: a PE more | {} | {} | {:.2f} | {} | {} | {:.0f} % |\n", wide.algorithm, wide.on,
             text_of(wide.use), measured, here(narrow_cycles.profile, wide_cycles.profile),
             here(narrow_cycles.hardware.value_or(0), wide_cycles.hardware.value_or(0)),
             test_support::kChainSlopePercent);
}

// The slope of two chains is a line of its own after the second of them.
bool print_products(const std::vector<Product>& rows, const std::filesystem::path& root,
                    const isa::Profile& wse3, const isa::Profile& hardware) {
  fmt::print("{}", kProductsHead);
  const Product* chain = nullptr;
  ProductCycles chain_cycles;
  for (const Product& row : rows) {
    const bool on_hardware = row.on == "hardware";
    const isa::Result<double> cycles = product_cycles(row, root, wse3);
    const isa::Result<double> wanted =
        on_hardware ? product_cycles(row, root, hardware) : isa::Result<double>(0);
    if (!cycles || !wanted) {
      fmt::print(stderr, "fidelity: {}\n", cycles ? wanted.error() : cycles.error());
      return false;
    }
    const ProductCycles both{*cycles, on_hardware ? std::optional(*wanted) : std::nullopt};
    print_product(row, both);
    if (!row.is_chain()) continue;
    if (chain != nullptr) print_slope(*chain, chain_cycles, row, both);
    chain = &row;
    chain_cycles = both;
  }
  return true;
}

// The machine that the file describes; an error is printed.
std::optional<isa::Profile> machine_of(const std::string& file, const std::filesystem::path& root) {
  const std::string text = test_support::read_text(file);
  if (text.empty()) {
    fmt::print(stderr, "fidelity: {}: no such file, or nothing in it\n", file);
    return std::nullopt;
  }
  script::Options options;
  options.file = options.path = file;
  options.data_folder = root.string();
  options.print = options.log = [](std::string_view) {};
  isa::InputList inputs;
  auto machine = script::read_machine(text, options, inputs);
  if (machine) return machine->profile;
  fmt::print(stderr, "fidelity: {}\n", machine.error());
  return std::nullopt;
}

bool run_rows(const std::filesystem::path& root, const Machines& machines) {
  const auto rows = parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  if (!rows) {
    fmt::print(stderr, "fidelity: rows.csv, {}\n", rows.error());
    return false;
  }
  fmt::print("{}", kHead);
  bool fine = true;
  for (const Row& row : *rows) fine = print_row(row, root, machines) && fine;
  return fine;
}

bool run_products(const std::filesystem::path& root, const Machines& machines) {
  const auto products =
      parse_products(test_support::read_text(root / "tests/fidelity/products.csv"));
  if (products) {
    const auto hardware = machine_of((root / "scripts/machines/wse3-hardware.lua").string(), root);
    return hardware && print_products(*products, root, machines.wse3, *hardware);
  }
  fmt::print(stderr, "fidelity: products.csv, {}\n", products.error());
  return false;
}

bool run_predictions(const std::filesystem::path& root, const Machines& machines) {
  const auto all =
      parse_predictions(test_support::read_text(root / "tests/fidelity/predictions.csv"));
  if (!all) {
    fmt::print(stderr, "fidelity: predictions.csv, {}\n", all.error());
    return false;
  }
  fmt::print("| predicted | on | over | cycles |\n|---|---|---|---|\n");
  for (const Series& series : *all) {
    std::string cells;
    for (const std::string& size : series.sizes) {
      const Row row = row_of(series, size);
      const auto cycles = simulated_cycles(row, root, machines.of(row.machine));
      if (!cycles) {
        fmt::print(stderr, "fidelity: {}\n", cycles.error());
        return false;
      }
      cells += fmt::format("{}{}: {}", cells.empty() ? "" : ", ", size, *cycles);
    }
    fmt::print("| {} | {} | {} | {} |\n", series.row.name, series.row.machine.name, series.over,
               cells);
  }
  return true;
}

struct Wanted {
  std::string_view table;  // empty: rows and products
  Machines machines;
};

// What the arguments ask for; an error is printed.
std::optional<Wanted> wanted_by(std::span<char*> arguments, const std::filesystem::path& root) {
  Wanted wanted;
  for (const std::string_view argument : arguments) {
    isa::Profile* const machine = argument.starts_with("--wse2=")   ? &wanted.machines.wse2
                                  : argument.starts_with("--wse3=") ? &wanted.machines.wse3
                                                                    : nullptr;
    if (machine != nullptr) {
      const auto found = machine_of(std::string(argument.substr(argument.find('=') + 1)), root);
      if (!found) return std::nullopt;
      *machine = *found;
      continue;
    }
    const bool is_table = argument == "rows" || argument == "products" || argument == "predictions";
    if (!is_table || !wanted.table.empty()) {
      fmt::print(stderr,
                 "usage: fidelity [rows | products | predictions] [--wse2=FILE.lua] "
                 "[--wse3=FILE.lua]\n");
      return std::nullopt;
    }
    wanted.table = argument;
  }
  return wanted;
}

bool run_tables(const Wanted& wanted, const std::filesystem::path& root) {
  if (wanted.table == "rows") return run_rows(root, wanted.machines);
  if (wanted.table == "products") return run_products(root, wanted.machines);
  if (wanted.table == "predictions") return run_predictions(root, wanted.machines);
  const bool fine = run_rows(root, wanted.machines);
  fmt::print("\n");
  return run_products(root, wanted.machines) && fine;
}

}  // namespace
}  // namespace wse::fidelity

int main(int argc, char** argv) {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  const auto wanted = wse::fidelity::wanted_by({argv + 1, argv + argc}, root);
  if (!wanted) return 2;
  return wse::fidelity::run_tables(*wanted, root) ? 0 : 1;
}
