// Which room may include which, and that no includes go round in a circle.
//
//   isa <- asm      isa <- vm <- jit      isa <- ranks      isa, asm, vm, ranks <- scripts/host
//   all of them <- vm/cli
//   <- tests
//
// isa/, asm/, vm/ and vm/planes/ have floors (floors.cpp).
// The longest prefix of a path decides its room. Must never need to know what a file contains but
// its includes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "tests/lint/arrows.h"
#include "tests/lint/floors.h"
#include "tests/lint/lint.h"

namespace wse::lint {
namespace {

struct Room {
  std::string prefix;
  std::vector<std::string> may_include;  // rooms, `room/` with all in it, or parts of rooms
};

void add_floors(std::vector<Room>& rooms) {
  for (const Building& building : buildings()) {
    std::vector<std::string> below(building.outside.begin(), building.outside.end());
    for (const auto& floor : building.floors) {
      for (const std::string_view folder : floor) rooms.push_back({std::string(folder), below});
      for (const std::string_view folder : floor) below.push_back(fmt::format("{}/", folder));
    }
    rooms.push_back({std::string(building.folder), below});
  }
}

std::vector<Room> all_rooms() {
  std::vector<Room> rooms = {
      {"jit", {"isa/", "vm/support", "vm/load", "vm/contract", "vm/pe"}},
      {"jit/llvm", {"isa/", "jit", "vm/pe"}},  // the one place that names LLVM
      {"ranks", {"isa/support"}},
      {"ranks/mpi", {"isa/support", "ranks"}},  // the one place that names MPI
      {"scripts/host",
       {"isa/", "asm", "ranks", "vm/support", "vm/ledger", "vm/run", "vm/session", "vm/path",
        "vm/profile", "vm/checkpoint", "vm/timeline"}},
      {"vm/front",
       {"isa/", "asm", "vm/support", "vm/numpy", "vm/ledger", "vm/run", "vm/profile", "vm/page",
        "jit", "ranks", "scripts/host"}},
      {"vm/library",
       {"isa/", "asm", "vm/support", "vm/numpy", "vm/contract", "vm/ledger", "vm/run", "vm/session",
        "vm/checkpoint", "vm/profile", "vm/page", "jit", "scripts/host", "vm/front"}},
      {"vm/cli", {"isa/",      "asm",       "vm/support",   "vm/numpy",     "vm/contract",
                  "vm/ledger", "vm/pe",     "vm/run",       "vm/processes", "vm/checkpoint",
                  "vm/path",   "vm/events", "vm/timeline",  "vm/profile",   "vm/page",
                  "jit",       "ranks",     "scripts/host", "vm/front",     "vm/cli/lsp"}},
      {"vm/cli/lsp", {"isa/", "asm/"}},  // knows the assembler, and nothing that runs
      {"tests", {"isa/", "asm/", "vm/", "jit", "ranks", "scripts/host", "tests/oracle"}},
      // The oracle shares data formats with the machine, never meaning; its floats are
      // integer-made.
      {"tests/oracle",
       {"isa/image/image", "isa/image/disassembler", "isa/image/placement_values",
        "isa/machine/profile", "isa/machine/counters", "isa/machine/pe_counters",
        "isa/machine/line_causes", "isa/machine/fabric", "isa/machine/filter", "isa/instruction",
        "isa/descriptor", "isa/formula", "isa/support", "tests/support/soft_"}},
  };
  add_floors(rooms);
  return rooms;
}

const std::vector<Room>& rooms() {
  static const std::vector<Room> kRooms = all_rooms();
  return kRooms;
}

// What no file of a room may reach, not even through other headers.
constexpr std::string_view kOracle = "tests/oracle";
constexpr std::string_view kOracleTaboo = "isa/semantics";

using Include = Arrow;
using IncludeGraph = ArrowGraph;

// A floor that has floors itself has two rows: the last one knows its own folders.
const Room* room_of(std::string_view path) {
  const Room* best = nullptr;
  for (const Room& room : rooms()) {
    if (!is_within(path, room.prefix)) continue;
    if (best == nullptr || room.prefix.size() >= best->prefix.size()) best = &room;
  }
  return best;
}

// `isa/image/image` means isa/image/image.h and isa/image/image_parts.h; `isa/` all floors of isa;
// `asm` the room without its parts.
bool is_allowed(const Room& from, std::string_view target) {
  const Room* to = room_of(target);
  if (to == &from) return true;
  return std::ranges::any_of(from.may_include, [&](std::string_view name) {
    const bool whole_room = to->prefix == name || (name.ends_with('/') && target.starts_with(name));
    const bool part =
        name.find('/') != std::string_view::npos && target.starts_with(name) && room_of(name) == to;
    return whole_room || part;
  });
}

std::string_view trim_left(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

struct ParsedInclude {
  std::string_view target;
  bool quoted;
};

std::optional<ParsedInclude> parse_include(std::string_view line) {
  line = trim_left(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = trim_left(line.substr(1));
  if (!line.starts_with("include")) return std::nullopt;
  line = trim_left(line.substr(std::string_view("include").size()));
  const bool quoted = line.starts_with('"');
  if (!quoted && !line.starts_with('<')) return std::nullopt;
  const size_t end = line.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return ParsedInclude{line.substr(1, end - 1), quoted};
}

void check_include(const TextFile& file, const Room& room, const Include& include, bool quoted,
                   Violations& violations) {
  const auto report = [&](std::string message) {
    violations.push_back({file.path, include.line, std::move(message)});
  };
  const bool plain = include.target.find("./") == std::string::npos;
  const Room* target = plain ? room_of(include.target) : nullptr;
  if (target == nullptr) {
    if (quoted) report(fmt::format("include \"{}\" is not rooted at a room", include.target));
    return;
  }
  if (!quoted) report(fmt::format("include of <{}>: a room's header takes quotes", include.target));
  if (!is_allowed(room, include.target)) {
    report(fmt::format("{} must not include \"{}\"", room.prefix, include.target));
  }
}

bool reaches(const IncludeGraph& graph, const std::string& file, std::string_view folder,
             std::set<std::string>& visited) {
  if (is_within(file, folder)) return true;
  const auto includes = graph.find(file);
  if (includes == graph.end() || !visited.insert(file).second) return false;
  return std::ranges::any_of(includes->second, [&](const Include& include) {
    return reaches(graph, include.target, folder, visited);
  });
}

void check_oracle(const IncludeGraph& graph, Violations& violations) {
  for (const auto& [file, includes] : graph) {
    if (!is_within(file, kOracle)) continue;
    for (const Include& include : includes) {
      std::set<std::string> visited;
      const Room* room = room_of(include.target);
      if (room == nullptr || !is_allowed(*room_of(file), include.target)) continue;  // told already
      if (!reaches(graph, include.target, kOracleTaboo, visited)) continue;
      violations.push_back(
          {file, include.line,
           fmt::format("{} reaches {} through \"{}\"", kOracle, kOracleTaboo, include.target)});
    }
  }
}

}  // namespace

void check_layers(const std::vector<TextFile>& files, Violations& violations) {
  IncludeGraph graph;
  for (const TextFile& file : files) {
    if (!is_cpp(file.path)) continue;
    const Room* room = room_of(file.path);
    if (room == nullptr) {
      violations.push_back({file.path, 1, "C++ outside the rooms"});
      continue;
    }
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const auto parsed = parse_include(file.lines[i]);
      if (!parsed) continue;
      const Include include{std::string(parsed->target), i + 1};
      check_include(file, *room, include, parsed->quoted, violations);
      graph[file.path].push_back(include);
    }
  }
  find_circles(graph, "include", violations);
  check_oracle(graph, violations);
  check_pictures(files, graph, violations);
}

}  // namespace wse::lint
