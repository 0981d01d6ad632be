// Reads rows.csv; cells hold no commas and no quotes.
#include "tests/fidelity/rows.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <ranges>

namespace wse::fidelity {
namespace {

constexpr std::string_view kHeader =
    "row,machine,measured,instrument,within,program,values,rule,use,explained,source";
constexpr std::size_t kCells = 11;

// The place of the word in the list.
template <class Enum, std::size_t size>
std::optional<Enum> find(const std::string_view (&words)[size], std::string_view word) {
  for (std::size_t k = 0; k < size; ++k) {
    if (words[k] == word) return static_cast<Enum>(k);
  }
  return std::nullopt;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

std::optional<Row> parse_row(const std::vector<std::string>& cells) {
  static constexpr std::string_view kWithin[] = {"exact", "close", "short", "rough"};
  static constexpr std::string_view kUses[] = {"fit",   "held back", "compare",
                                               "bound", "shape",     "context"};
  static constexpr std::string_view kAnswers[] = {"no", "yes"};
  const auto measured = number(cells[2]);
  const auto instrument = number(cells[3]);
  const auto within = find<Within>(kWithin, cells[4]);
  const auto rule = rule_of(cells[7]);
  auto values = values_of(cells[6]);
  const auto use = find<Use>(kUses, cells[8]);
  const auto explained = find<bool>(kAnswers, cells[9]);
  auto machine = isa::find_profile(cells[1]);
  const bool numbers = measured && *measured != 0 && instrument;
  if (!machine || !numbers || !within || !values || !rule || !use || !explained) return {};
  return Row{.name = cells[0],
             .machine = std::move(*machine),
             .measured = *measured,
             .instrument = *instrument,
             .within = *within,
             .program = cells[5],
             .values = std::move(*values),
             .rule = *rule,
             .use = *use,
             .explained = *explained,
             .source = cells[10]};
}

}  // namespace

std::optional<Rule> rule_of(std::string_view word) {
  static constexpr std::string_view kRules[] = {"marks", "turns", "issues", "microthread",
                                                "script"};
  return find<Rule>(kRules, word);
}

std::optional<std::vector<std::pair<std::string, std::string>>> values_of(std::string_view cell) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& value : split(cell, ' ')) {
    if (value.empty()) continue;
    const auto equals = value.find('=');
    if (equals == std::string::npos) return std::nullopt;
    values.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  }
  return values;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (const auto part : text | std::views::split(separator)) {
    parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

isa::Result<std::vector<Row>> parse_rows(std::string_view text) {
  std::vector<Row> rows;
  std::size_t line_number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++line_number;
    if (line_number == 1 && line != kHeader) return isa::fail("line 1: not the header");
    if (line_number == 1 || line.empty()) continue;
    const std::vector<std::string> cells = split(line, ',');
    auto row = cells.size() == kCells ? parse_row(cells) : std::nullopt;
    if (!row) return isa::fail(fmt::format("line {}: not a row: {}", line_number, line));
    rows.push_back(std::move(*row));
  }
  return rows;
}

}  // namespace wse::fidelity
