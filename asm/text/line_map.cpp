// Looks up the last directive above a line.
#include "asm/text/line_map.h"

#include <algorithm>

namespace wse::assembler {

isa::SourceLine GivenLine::at(std::uint32_t line) const {
  if (!counts) return given;
  const std::uint64_t counted = std::uint64_t{given.line} + (line - stands_at - 1);
  return {given.file, static_cast<std::uint32_t>(std::min<std::uint64_t>(counted, ~0u))};
}

void LineMap::add(std::uint32_t source, const GivenLine& given) {
  std::vector<GivenLine>& all = by_source_[source];
  if (all.empty() || all.back().stands_at < given.stands_at) all.push_back(given);
}

std::optional<isa::SourceLine> LineMap::find(const isa::SourceRange& where) const {
  const auto source = by_source_.find(where.file);
  if (source == by_source_.end() || where.line == 0) return std::nullopt;
  const std::vector<GivenLine>& all = source->second;
  const auto below = std::ranges::lower_bound(all, where.line, {}, &GivenLine::stands_at);
  if (below == all.begin()) return std::nullopt;
  const isa::SourceLine found = std::prev(below)->at(where.line);
  if (found.line == 0) return std::nullopt;
  return found;
}

}  // namespace wse::assembler
