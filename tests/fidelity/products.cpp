// Reads products.csv; runs the scripts, in this process.
#include "tests/fidelity/products.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <ranges>

#include "tests/fidelity/script_run.h"
#include "tests/support/tolerances.h"

namespace wse::fidelity {
namespace {

constexpr std::string_view kProductHeader =
    "use,algorithm,on,P,Mt,Kt,Nt,multiply,moves,repeats,measured,program,source";
constexpr std::size_t kProductCells = 13;

// Grids of products wider than that are continued from these two.
constexpr std::uint32_t kWidest = 64;
constexpr std::uint32_t kNarrow = 12;
constexpr std::uint32_t kWide = 24;
constexpr std::uint32_t kRepeats = 4;  // what is measured with more takes the same for each

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

std::optional<Product::Use> use_of(std::string_view word) {
  if (word == "fit") return Product::Use::Fit;
  if (word == "check") return Product::Use::Check;
  if (word == "context") return Product::Use::Context;
  return std::nullopt;
}

std::optional<Product> parse_product(std::string_view line) {
  std::vector<std::string> cells;
  for (const auto cell : line | std::views::split(','))
    cells.emplace_back(cell.begin(), cell.end());
  if (cells.size() != kProductCells) return std::nullopt;
  const auto use = use_of(cells[0]);
  const auto pes = number_of<std::uint32_t>(cells[3]);
  const auto multiply = number_of<std::uint32_t>(cells[7]);
  const auto moves = number_of<std::uint32_t>(cells[8]);
  const auto repeats = number_of<std::uint32_t>(cells[9]);
  const auto measured = number_of<double>(cells[10]);
  if (!use || !pes || !multiply || !moves || !repeats || !measured || *measured == 0) return {};
  return Product{.use = *use,
                 .algorithm = cells[1],
                 .on = cells[2],
                 .pes = *pes,
                 .tile = {cells[4], cells[5], cells[6]},
                 .multiply = *multiply,
                 .moves = *moves,
                 .repeats = std::min(*repeats, kRepeats),
                 .measured = *measured,
                 .program = cells[11],
                 .source = cells[12]};
}

bool is_vector_product(const Product& row) {
  return row.algorithm == "meshgemv" || row.algorithm == "chain";
}

std::string script_of(const Product& row) {
  if (row.algorithm == "message") return "scripts/gemm/message.lua";
  return is_vector_product(row) ? "scripts/gemm/gemv.lua" : "scripts/gemm/gemm.lua";
}

Arguments arguments_of(const Product& row, std::uint32_t pes) {
  Arguments arguments = {{"P", std::to_string(pes)}};
  if (row.algorithm == "message") return arguments;
  constexpr std::array kTile = {"Mt", "Kt", "Nt"};
  for (std::size_t k = 0; k < kTile.size(); ++k) {
    if (!row.tile[k].empty()) arguments.emplace_back(kTile[k], row.tile[k]);
  }
  arguments.emplace_back("algorithm", row.algorithm);
  arguments.emplace_back("code", "measured");
  arguments.emplace_back("repeats", std::to_string(row.repeats));
  if (is_vector_product(row)) {
    arguments.emplace_back("columns", "1");  // columns do not wait for each other
    if (row.algorithm == "meshgemv")
      arguments.insert(arguments.end(), {{"group", "15"}, {"levels", "2"}});
    return arguments;
  }
  arguments.emplace_back("multiply", std::to_string(row.multiply));
  arguments.emplace_back("moves", std::to_string(row.moves));
  arguments.emplace_back("shares", "false");
  return arguments;
}

}  // namespace

std::string Product::name() const {
  if (algorithm == "message") return fmt::format("message P={}, own clocks", pes);
  std::string sizes = tile[0];
  for (const std::string& size : {tile[1], tile[2]}) {
    if (!size.empty()) sizes += " x " + size;
  }
  std::string text = fmt::format("{} P={}, tile {}", algorithm, pes, sizes);
  if (multiply != 1) text += fmt::format(", {} multiplications", multiply);
  if (moves == 0) text += ", no moves";
  return text;
}

isa::Result<std::vector<Product>> parse_products(std::string_view text) {
  std::vector<Product> rows;
  std::size_t line_number = 0;
  for (const auto part : text | std::views::split('\n')) {
    const std::string_view line(part.begin(), part.end());
    ++line_number;
    if (line_number == 1 && line != kProductHeader) return isa::fail("line 1: not the header");
    if (line_number == 1 || line.empty()) continue;
    auto row = parse_product(line);
    if (!row) return isa::fail(fmt::format("line {}: not a row: {}", line_number, line));
    rows.push_back(std::move(*row));
  }
  return rows;
}

isa::Result<double> product_cycles_on(const Product& row, std::uint32_t pes,
                                      const std::filesystem::path& root,
                                      const isa::Profile& profile) {
  const std::string key = row.algorithm == "message" ? "own_cycles" : "mean_cycles";
  const auto cycles = number_of_script(script_of(row), arguments_of(row, pes), key, root, profile);
  if (!cycles) return isa::fail(fmt::format("{}: {}", row.name(), cycles.error()));
  return cycles;
}

isa::Result<double> product_cycles(const Product& row, const std::filesystem::path& root,
                                   const isa::Profile& profile) {
  if (row.pes <= kWidest || is_vector_product(row) || row.algorithm == "message") {
    return product_cycles_on(row, row.pes, root, profile);
  }
  const auto narrow = product_cycles_on(row, kNarrow, root, profile);
  if (!narrow) return narrow;
  const auto wide = product_cycles_on(row, kWide, root, profile);
  if (!wide) return wide;
  return *narrow + (row.pes - kNarrow) * (*wide - *narrow) / (kWide - kNarrow);
}

double slope(const Product& narrow, double narrow_cycles, const Product& wide, double wide_cycles) {
  return (wide_cycles - narrow_cycles) / (double(wide.pes) - double(narrow.pes));
}

double error_percent(const Product& row, double simulated) {
  return 100 * (simulated - row.measured) / row.measured;
}

double tolerance_percent(const Product& row) {
  return row.use == Product::Use::Fit ? test_support::kFittedProductPercent
                                      : test_support::kPredictedProductPercent;
}

}  // namespace wse::fidelity
