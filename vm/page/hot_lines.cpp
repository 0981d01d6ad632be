// Adds up the rows of each line.
#include "vm/page/hot_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wse::vm {

std::optional<HotLine> HotLines::with_most(std::string_view cause) const {
  const Numbers numbers = profile_.numbers("line_cause");
  const auto column = std::ranges::find(profile_.causes, cause);
  if (numbers.empty() || column == profile_.causes.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(column - profile_.causes.begin());
  Cycles cycles(profile_.lines.size());
  for (std::size_t row = 0; row < cycles.size(); ++row) {
    cycles[row] = numbers[row * profile_.causes.size() + at];
  }
  return most_of(cycles);
}

std::optional<HotLine> HotLines::longest() const {
  const Numbers numbers = profile_.numbers("line_cycles");
  Cycles cycles(numbers.size());
  for (std::size_t row = 0; row < cycles.size(); ++row) cycles[row] = numbers[row];
  return most_of(cycles);
}

std::optional<HotLine> HotLines::most_of(const Cycles& cycles) const {
  std::map<Place, HotLine> by_place;
  HotLine found;
  for (std::size_t row = 0; row < cycles.size(); ++row) {
    if (profile_.lines[row].kind != "line") continue;
    HotLine& line = by_place.try_emplace(place_of(row), HotLine{.row = row}).first->second;
    line.cycles += cycles[row];
    found.sum += cycles[row];
  }
  for (const auto& [place, line] : by_place) {
    const bool is_before = line.cycles == found.cycles && line.row < found.row;
    if (line.cycles > found.cycles || is_before) found = {line.row, line.cycles, found.sum};
  }
  if (found.cycles == 0) return std::nullopt;
  return found;
}

std::string HotLines::place(const HotLine& line) const {
  return fmt::format("{}:{}", profile_.lines[line.row].file, profile_.lines[line.row].line);
}

std::string_view HotLines::words(const HotLine& line) const {
  const std::string_view text = profile_.lines[line.row].text;
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace wse::vm
