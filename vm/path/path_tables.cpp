// Goes over the steps once.
#include "vm/path/path_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "isa/support/visible.h"

namespace wse::vm {

PathTables path_tables(const CriticalPath& path) {
  std::map<std::uint8_t, Cycle> colours;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> lines;  // by file and line
  PathTables tables;
  for (const PathStep& step : path.steps) {
    tables.terms[static_cast<std::size_t>(term_of(step.kind))] += step.cycles();
    if (step.colour != Event::kNoStepColour) colours[step.colour] += step.cycles();
    if (step.where.line > 0) lines[{step.where.file, step.where.line}] += step.cycles();
  }
  tables.colours.assign(colours.begin(), colours.end());
  for (const auto& [place, cycles] : lines) {
    tables.lines.emplace_back(isa::SourceLine{place.first, place.second}, cycles);
  }
  std::ranges::stable_sort(tables.lines, std::greater{},
                           [](const auto& row) { return row.second; });
  return tables;
}

std::string place_text(const isa::Image& image, const isa::SourceLine& line) {
  const bool is_known = line.file < image.sources.size();
  return fmt::format("{}:{}", is_known ? isa::visible_line(image.sources[line.file]) : "?",
                     line.line);
}

std::optional<std::string> colour_text(const isa::Image& image, const PathStep& step) {
  if (step.colour == Event::kNoStepColour) return std::nullopt;
  return isa::visible_line(image.colour_name(step.colour));
}

}  // namespace wse::vm
