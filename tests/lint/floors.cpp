// The table of floors, and the pictures that READMEs draw of them.
//
// A picture shows the folders, the highest floor first, an indented line each:
//     asm/mesh   many programs on a grid
// and where the building shows arrows, what each folder includes, as short names:
//     vm/strips  -> planes stepper pe support
// Must never look at more of a file than its includes.
#include "tests/lint/floors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <string>

namespace wse::lint {
namespace {

constexpr std::string_view kIndent = "    ";
constexpr std::string_view kArrow = " -> ";

// The folders of a building, the highest floor first.
std::vector<std::string_view> from_the_top(const Building& building) {
  std::vector<std::string_view> folders;
  for (const auto& floor : building.floors | std::views::reverse) {
    folders.insert(folders.end(), floor.rbegin(), floor.rend());
  }
  return folders;
}

std::vector<std::string_view> lines_of_picture(const Building& building, const TextFile& readme) {
  std::vector<std::string_view> lines;
  for (const std::string& line : readme.lines) {
    if (!line.starts_with(kIndent)) continue;
    const std::string_view rest = std::string_view(line).substr(kIndent.size());
    if (is_within(rest.substr(0, rest.find(' ')), building.folder)) lines.push_back(rest);
  }
  return lines;
}

// The other folders of the building that files of `folder` include, the highest first.
std::vector<std::string_view> included_by(std::string_view folder, const Building& building,
                                          const ArrowGraph& includes) {
  const std::vector<std::string_view> folders = from_the_top(building);
  std::set<std::string_view> found;
  for (const auto& [file, arrows] : includes) {
    if (!is_within(file, folder)) continue;
    for (const Arrow& arrow : arrows) {
      const auto to = std::ranges::find_if(
          folders, [&](std::string_view name) { return is_within(arrow.target, name); });
      if (to != folders.end() && *to != folder) found.insert(*to);
    }
  }
  std::vector<std::string_view> ordered;
  std::ranges::copy_if(folders, std::back_inserter(ordered),
                       [&](std::string_view name) { return found.contains(name); });
  return ordered;
}

std::string arrows_of(std::string_view folder, const Building& building,
                      const ArrowGraph& includes) {
  std::vector<std::string_view> names = included_by(folder, building, includes);
  for (std::string_view& name : names) name.remove_prefix(building.folder.size() + 1);
  return names.empty() ? std::string() : fmt::format("{}{}", kArrow, fmt::join(names, " "));
}

void check_arrows(const Building& building, const TextFile& readme, const ArrowGraph& includes,
                  Violations& violations) {
  for (const std::string_view line : lines_of_picture(building, readme)) {
    const std::string_view folder = line.substr(0, line.find(' '));
    const std::size_t arrow = line.find(kArrow);
    const std::string_view shown =
        arrow == std::string_view::npos ? std::string_view() : line.substr(arrow);
    const std::string expected = arrows_of(folder, building, includes);
    if (shown == expected) continue;
    violations.push_back(
        {readme.path, 1,
         fmt::format("its picture must say '{}{}', which the includes do", folder, expected)});
  }
}

void check_picture(const Building& building, const TextFile& readme, const ArrowGraph& includes,
                   Violations& violations) {
  std::vector<std::string_view> shown;
  for (const std::string_view line : lines_of_picture(building, readme)) {
    shown.push_back(line.substr(0, line.find(' ')));
  }
  const std::vector<std::string_view> folders = from_the_top(building);
  if (shown != folders) {
    violations.push_back(
        {readme.path, 1,
         fmt::format("its picture of the floors must have a line for each, in this order: {}",
                     fmt::join(folders, ", "))});
  } else if (building.shows_arrows) {
    check_arrows(building, readme, includes, violations);
  }
}

}  // namespace

const std::vector<Building>& buildings() {
  static const std::vector<Building> kBuildings = {
      {"isa",
       {},
       {{"isa/support"},
        {"isa/instruction"},
        {"isa/machine"},
        {"isa/descriptor"},
        {"isa/semantics"},
        {"isa/formula"},
        {"isa/image"}}},
      {"asm",
       {"isa/"},
       {{"asm/text"},
        {"asm/syntax"},
        {"asm/names"},
        {"asm/program"},
        {"asm/code"},
        {"asm/mesh"},
        {"asm/warnings"}}},
      {"vm",
       {"isa/"},
       {{"vm/support", "vm/numpy"},
        {"vm/load"},
        {"vm/contract"},
        {"vm/ledger"},
        {"vm/pe", "vm/stepper", "vm/planes", "vm/processes"},
        {"vm/strips"},
        {"vm/report"},
        {"vm/run"},
        {"vm/session", "vm/path", "vm/events"},
        {"vm/profile"},
        {"vm/checkpoint", "vm/timeline"},
        {"vm/page"}},
       true},
      {"vm/planes",
       {"isa/", "vm/support/", "vm/load/", "vm/contract/", "vm/ledger/"},
       {{"vm/planes/messages"},
        {"vm/planes/bits"},
        {"vm/planes/borders"},
        {"vm/planes/words"},
        {"vm/planes/blocks"}},
       true},
  };
  return kBuildings;
}

void check_pictures(const std::vector<TextFile>& files, const ArrowGraph& includes,
                    Violations& violations) {
  for (const Building& building : buildings()) {
    const std::string path = std::string(building.folder) + "/README.md";
    const auto readme = std::ranges::find(files, path, &TextFile::path);
    if (readme != files.end()) check_picture(building, *readme, includes, violations);
  }
}

}  // namespace wse::lint
