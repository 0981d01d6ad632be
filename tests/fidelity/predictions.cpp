// Reads predictions.csv; cells hold no commas and no quotes.
#include "tests/fidelity/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace wse::fidelity {
namespace {

constexpr std::string_view kSeriesHeader = "series,machine,program,values,rule,over,sizes";
constexpr std::size_t kSeriesCells = 7;

std::optional<Series> parse_series(const std::vector<std::string>& cells) {
  auto machine = isa::find_profile(cells[1]);
  auto values = values_of(cells[3]);
  const auto rule = rule_of(cells[4]);
  std::vector<std::string> sizes = split(cells[6], ' ');
  std::erase(sizes, "");
  if (!machine || !values || !rule || cells[5].empty() || sizes.empty()) return std::nullopt;
  Series series{.row = {.name = cells[0],
                        .machine = std::move(*machine),
                        .program = cells[2],
                        .values = std::move(*values),
                        .rule = *rule,
                        .source = ""},
                .over = cells[5],
                .sizes = std::move(sizes)};
  return series;
}

}  // namespace

isa::Result<std::vector<Series>> parse_predictions(std::string_view text) {
  std::vector<Series> all;
  std::size_t line_number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++line_number;
    if (line_number == 1 && line != kSeriesHeader) return isa::fail("line 1: not the header");
    if (line_number == 1 || line.empty()) continue;
    const std::vector<std::string> cells = split(line, ',');
    auto series = cells.size() == kSeriesCells ? parse_series(cells) : std::nullopt;
    if (!series) return isa::fail(fmt::format("line {}: not a series: {}", line_number, line));
    all.push_back(std::move(*series));
  }
  return all;
}

Row row_of(const Series& series, const std::string& size) {
  Row row = series.row;
  row.values.emplace_back(series.over, size);
  return row;
}

}  // namespace wse::fidelity
