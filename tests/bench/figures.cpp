// Numbers with three digits and a prefix.
#include "tests/bench/figures.h"

#include <fmt/format.h>

#include "isa/support/atomic_file.h"
#include "tests/support/files.h"

namespace wse::bench {
namespace {

constexpr std::string_view kBegin = "<!-- bench -->\n";
constexpr std::string_view kEnd = "<!-- end of bench -->";

std::string three_digits(double value) {
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string number(double value) {
  if (value >= 1e9) return three_digits(value / 1e9) + " G";
  if (value >= 1e6) return three_digits(value / 1e6) + " M";
  if (value >= 1e4) return three_digits(value / 1e3) + " k";
  if (value < 100) return fmt::format("{:.3g}", value);
  return fmt::format("{:.0f}", value);
}

bool is_rate(const Row& row) { return row.unit.ends_with("/s"); }

std::string median(const Figure& figure) {
  return number(figure.rate.median) + " " + figure.row.unit;
}

std::string spread(const Figure& figure) {
  return fmt::format("{} .. {}", number(figure.rate.least), number(figure.rate.most));
}

// What the host does with its yardstick in the time of one unit.
std::string ratio(const Figure& figure) {
  if (!is_rate(figure.row)) return "";
  const double units = figure.rate.yardstick_units;
  return fmt::format("{} {}", units < 1000 ? three_digits(units) : number(units),
                     figure.row.against.unit);
}

}  // namespace

std::string text_head() {
  return fmt::format("{:<42}{:>22}{:>22}{:>20}\n", "what", "median of 5", "least .. most",
                     "one costs");
}

std::string text_line(const Figure& figure) {
  return fmt::format("{:<42}{:>22}{:>22}{:>20}\n", figure.row.name, median(figure), spread(figure),
                     ratio(figure));
}

std::string full_table(std::span<const Figure> figures) {
  std::string table =
      "| what | median of 5 | least .. most | one costs | how |\n|---|---|---|---|---|\n";
  for (const Figure& figure : figures) {
    table += fmt::format("| {} | {} | {} | {} | {} |\n", figure.row.name, median(figure),
                         spread(figure), ratio(figure), figure.row.how);
  }
  return table;
}

std::string short_table(std::span<const Figure> figures) {
  std::string table = "| what | median of 5 | one costs |\n|---|---|---|\n";
  for (const Figure& figure : figures) {
    if (!figure.row.headline) continue;
    table += fmt::format("| {} | {} | {} |\n", figure.row.name, median(figure), ratio(figure));
  }
  return table;
}

isa::Status put_between_marks(const std::filesystem::path& readme, const std::string& table) {
  std::string text = test_support::read_text(readme);
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    return isa::fail(fmt::format("{} has no marks for the figures", readme.string()));
  }
  const std::size_t first = begin + kBegin.size();
  text.replace(first, end - first, table);
  isa::InputList none;
  const auto written = isa::write_whole_file(readme, none, std::as_bytes(std::span(text)));
  if (!written) return isa::fail(written.error().message);
  return {};
}

}  // namespace wse::bench
