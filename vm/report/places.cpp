// Ranges of columns row by row, then the rows that have the same range.
#include "vm/report/places.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace wse::vm {
namespace {

using Numbers = std::vector<std::int32_t>;

constexpr std::size_t kShownRectangles = 3;

// Ascending numbers as ranges: the longest that begins at the first, and so on.
std::vector<isa::StridedRange> ranges_of(const Numbers& numbers) {
  std::vector<isa::StridedRange> ranges;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t end = k + 1;
    const std::int32_t step = end < numbers.size() ? numbers[end] - numbers[k] : 1;
    while (end < numbers.size() && numbers[end] - numbers[end - 1] == step) ++end;
    if (end - k == 2 && step > 1) end = k + 1;  // two apart are no pattern
    ranges.push_back({numbers[k], numbers[end - 1], end - k == 1 ? 1 : step});
    k = end;
  }
  return ranges;
}

std::string range_text(const isa::StridedRange& range) {
  if (range.first == range.last) return fmt::format("{}", range.first);
  const std::string step = range.step == 1 ? "" : fmt::format(" step {}", range.step);
  return fmt::format("{}..{}{}", range.first, range.last, step);
}

std::size_t size_of(const isa::StridedRect& rect) {
  return static_cast<std::size_t>(rect.x.count()) * static_cast<std::size_t>(rect.y.count());
}

}  // namespace

std::vector<isa::StridedRect> rectangles_of(const isa::Topology& mesh, std::span<const PeId> pes) {
  using Key = std::tuple<std::int32_t, std::int32_t, std::int32_t>;
  std::map<Key, std::size_t> known;
  std::vector<std::pair<isa::StridedRange, Numbers>> found;  // columns, and the rows that have them
  for (std::size_t k = 0; k < pes.size();) {
    const std::uint32_t y = mesh.y_of(pes[k]);
    Numbers row;
    for (; k < pes.size() && mesh.y_of(pes[k]) == y; ++k) {
      row.push_back(static_cast<std::int32_t>(mesh.x_of(pes[k])));
    }
    for (const isa::StridedRange& x : ranges_of(row)) {
      const auto [at, is_new] = known.try_emplace({x.first, x.last, x.step}, found.size());
      if (is_new) found.emplace_back(x, Numbers());
      found[at->second].second.push_back(static_cast<std::int32_t>(y));
    }
  }
  std::vector<isa::StridedRect> rectangles;
  for (const auto& [x, rows] : found) {
    for (const isa::StridedRange& y : ranges_of(rows)) rectangles.push_back({x, y});
  }
  return rectangles;
}

std::string places_text(const isa::Topology& mesh, std::span<const PeId> pes) {
  const std::vector<isa::StridedRect> rectangles = rectangles_of(mesh, pes);
  std::string out;
  std::size_t left = pes.size();
  for (std::size_t k = 0; k < std::min(rectangles.size(), kShownRectangles); ++k) {
    out += fmt::format("{}PE({}, {})", k == 0 ? "" : ", ", range_text(rectangles[k].x),
                       range_text(rectangles[k].y));
    left -= size_of(rectangles[k]);
  }
  if (left == 0) return out;
  return out + fmt::format(" and {} more PE{}", left, left == 1 ? "" : "s");
}

std::string pe_text(const isa::Topology& mesh, PeId pe) {
  return fmt::format("PE({}, {})", mesh.x_of(pe), mesh.y_of(pe));
}

}  // namespace wse::vm
