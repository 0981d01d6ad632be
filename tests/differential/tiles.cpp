// Each place becomes a range with steps.
#include "tests/differential/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace wse::differential {
namespace {

// One of the two coordinates: the side of a tile, and how many there are.
struct Extent {
  std::uint32_t side = 1;
  std::uint32_t count = 1;

  std::uint32_t whole() const { return side * count; }
  std::string places(std::uint32_t first) const {
    if (count == 1) return fmt::format("{}", first);
    return fmt::format("{}..{} step {}", first, first + (count - 1) * side, side);
  }
  std::string all() const { return fmt::format("0..{}", whole() - 1); }
};

std::uint32_t number(const std::ssub_match& match) {
  return static_cast<std::uint32_t>(std::stoul(match.str()));
}

}  // namespace

std::string in_tiles(const std::string& text, std::uint32_t most) {
  static const std::regex kGrid(R"(\.grid (\d+), (\d+))");
  static const std::regex kPlace(R"(^(\.(?:place|route|filter) .*at )\((\d+), (\d+)\)(.*)$)");
  static const std::regex kEverywhere(R"(^(\.route own at )\(0\.\.\d+, 0\.\.\d+\)(.*)$)");
  std::smatch grid;
  std::regex_search(text, grid, kGrid);
  Extent x{number(grid[1]), 1};
  Extent y{number(grid[2]), 1};
  x.count = std::clamp(most / (x.side * y.side) / 3, 1u, 6u);
  y.count = std::max(1u, most / (x.whole() * y.side));
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    std::smatch parts;
    if (std::regex_match(line, kGrid)) {
      all += fmt::format(".grid {}, {}\n", x.whole(), y.whole());
    } else if (std::regex_match(line, parts, kEverywhere)) {
      all += fmt::format("{}({}, {}){}\n", parts[1].str(), x.all(), y.all(), parts[2].str());
    } else if (std::regex_match(line, parts, kPlace)) {
      all += fmt::format("{}({}, {}){}\n", parts[1].str(), x.places(number(parts[2])),
                         y.places(number(parts[3])), parts[4].str());
    } else {
      all += line + "\n";
    }
  }
  return all;
}

}  // namespace wse::differential
