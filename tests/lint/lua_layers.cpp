// Which Lua file of scripts/ may require which, and that none goes round in a circle.
//
//   wse <- support <- collectives <- alltoall, gemm, stencil, mach; examples sees wse and the calls
//   of collectives
//
// Each folder has floors; a file requires only its own floor and those below it. Tests may require
// anything. A name that the code puts together counts by what of it is written.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "tests/lint/arrows.h"
#include "tests/lint/lint.h"

namespace wse::lint {
namespace {

using Paths = std::vector<std::string_view>;  // folders or files

// The lowest floor first; files of the folder that no floor names are on top.
struct Folder {
  std::string_view path;
  Paths outside;
  std::vector<Paths> floors;
};

constexpr std::string_view kOfEditors = "scripts/editors/";  // Lua of editors, never of wsevm
constexpr std::string_view kScripts = "scripts/";
constexpr std::string_view kInCpp = "wse.host";  // registered by scripts/host

// Commands that no floor names, as minimod.lua, are on top.
std::vector<Paths> stencil_floors() {
  return {{"scripts/stencil/lib/directions.lua", "scripts/stencil/lib/switches.lua"},
          {"scripts/stencil/lang"},
          {"scripts/stencil/reference"},
          {"scripts/stencil/compile"},
          {"scripts/stencil/emit"},
          {"scripts/stencil/explain"},
          {"scripts/stencil/problem.lua"},
          {"scripts/stencil/init.lua"},
          {"scripts/stencil/lib"},
          {"scripts/stencil/modelling", "scripts/stencil/examples", "scripts/stencil/solvers"},
          {"scripts/stencil/acoustic25.lua", "scripts/stencil/star.lua"},
          {"scripts/stencil/study"}};
}

const std::vector<Folder>& folders() {
  static const std::vector<Folder> kFolders = {
      {"scripts/wse",
       {},
       {{"scripts/wse/record.lua", "scripts/wse/session.lua", "scripts/wse/words_text.lua"},
        {"scripts/wse/builder", "scripts/wse/plot"},
        {"scripts/wse/layout"}}},
      {"scripts/support", {"scripts/wse"}, {}},
      {"scripts/examples",
       {"scripts/wse", "scripts/collectives/calls.lua"},
       {{"scripts/examples/lib"}}},
      {"scripts/machines", {}, {{"scripts/machines"}}},
      {"scripts/collectives",
       {"scripts/wse", "scripts/support"},
       {{"scripts/collectives/lib"},
        {"scripts/collectives/planner", "scripts/collectives/planner.lua"},
        {"scripts/collectives/patterns"},
        {"scripts/collectives/model", "scripts/collectives/model.lua"},
        {"scripts/collectives/calls"},
        {"scripts/collectives/calls.lua"},
        {"scripts/collectives/operations"},
        {"scripts/collectives/allreduce.lua", "scripts/collectives/broadcast.lua",
         "scripts/collectives/figures.lua", "scripts/collectives/reduce.lua"},
        {"scripts/collectives/study"}}},
      {"scripts/alltoall",
       {"scripts/wse", "scripts/support", "scripts/collectives/lib"},
       {{"scripts/alltoall/lib"},
        {"scripts/alltoall/broadcast.lua", "scripts/alltoall/personalised.lua",
         "scripts/alltoall/reduce.lua"},
        {"scripts/alltoall/study"}}},
      {"scripts/gemm",
       {"scripts/wse", "scripts/support"},
       {{"scripts/gemm/lib"}, {"scripts/gemm/gemm.lua"}, {"scripts/gemm/study"}}},
      {"scripts/stencil",
       {"scripts/wse", "scripts/support", "scripts/collectives/calls.lua"},
       stencil_floors()},
      {"scripts/mach",
       {"scripts/wse", "scripts/support", "scripts/collectives/reduce.lua"},
       {{"scripts/mach/paint"},
        {"scripts/mach/kernels"},
        {"scripts/mach/message"},
        {"scripts/mach/vm"},
        {"scripts/mach/lib"},
        {"scripts/mach/lang"},
        {"scripts/mach/memory"},
        {"scripts/mach/lower"},
        {"scripts/mach/program.lua", "scripts/mach/together.lua"},
        {"scripts/mach/init.lua"},
        {"scripts/mach/problems"},
        {"scripts/mach/control.lua", "scripts/mach/indirect.lua", "scripts/mach/reduction.lua"},
        {"scripts/mach/study"}}},
  };
  return kFolders;
}

bool is_in(std::string_view path, std::string_view place) {
  return path == place || is_within(path, place);
}

const Folder* folder_of(std::string_view path) {
  const auto found = std::ranges::find_if(
      folders(), [&](const Folder& folder) { return is_within(path, folder.path); });
  return found == folders().end() ? nullptr : &*found;
}

bool is_any(const Paths& places, std::string_view path) {
  return std::ranges::any_of(places, [&](std::string_view place) { return is_in(path, place); });
}

std::size_t floor_of(const Folder& folder, std::string_view path) {
  const auto found =
      std::ranges::find_if(folder.floors, [&](const Paths& floor) { return is_any(floor, path); });
  return static_cast<std::size_t>(found - folder.floors.begin());
}

bool may_require(const Folder& from, std::string_view path, std::string_view target) {
  if (folder_of(target) != &from) return is_any(from.outside, target);
  return floor_of(from, target) <= floor_of(from, path);
}

// The names that a line requires as literals: `require "a.b"`, `require("a.b." .. name)`.
std::vector<std::string> required(std::string_view line) {
  std::vector<std::string> names;
  line = line.substr(0, line.find("--"));
  constexpr std::string_view kWord = "require";
  for (size_t at = line.find(kWord); at != std::string_view::npos; at = line.find(kWord, at + 1)) {
    if (at > 0 && is_word_character(line[at - 1])) continue;
    const size_t start = line.find_first_not_of(" (", at + kWord.size());
    if (start == std::string_view::npos || (line[start] != '"' && line[start] != '\'')) continue;
    const size_t end = line.find(line[start], start + 1);
    if (end != std::string_view::npos) {
      names.emplace_back(line.substr(start + 1, end - start - 1));
    }
  }
  return names;
}

// The file of a module, looked for in scripts/ and in the folder of the script, as wsevm does; of a
// name that ends with a dot the folder.
std::optional<std::string> file_of(const std::set<std::string_view>& files, const Folder& folder,
                                   std::string name) {
  std::ranges::replace(name, '.', '/');
  for (const std::string& root : {std::string(kScripts), std::string(folder.path) + "/"}) {
    const std::string path = root + name;
    if (name.ends_with('/')) {
      const auto inside = files.lower_bound(path);
      if (inside != files.end() && inside->starts_with(path)) return path;
      continue;
    }
    for (const std::string& file : {path + ".lua", path + "/init.lua"}) {
      if (files.contains(file)) return file;
    }
  }
  return std::nullopt;
}

void check_file(const TextFile& file, const std::set<std::string_view>& files, ArrowGraph& graph,
                Violations& violations) {
  const Folder* const folder = folder_of(file.path);
  if (file.path.starts_with(kOfEditors)) return;
  if (folder == nullptr) {
    violations.push_back({file.path, 1, "Lua outside the folders of scripts/ that have floors"});
    return;
  }
  for (size_t i = 0; i < file.lines.size(); ++i) {
    for (const std::string& name : required(file.lines[i])) {
      if (name == kInCpp) continue;
      const std::optional<std::string> target = file_of(files, *folder, name);
      if (!target) {
        violations.push_back({file.path, i + 1, fmt::format("there is no module '{}'", name)});
      } else if (!may_require(*folder, file.path, *target)) {
        violations.push_back(
            {file.path, i + 1,
             fmt::format("must not require '{}': {} is no lower floor", name, *target)});
      }
      if (target) graph[file.path].push_back({*target, i + 1});
    }
  }
}

}  // namespace

void check_lua_layers(const std::vector<TextFile>& files, Violations& violations) {
  std::set<std::string_view> scripts;
  for (const TextFile& file : files) {
    if (file.path.starts_with(kScripts) && file.path.ends_with(".lua")) scripts.insert(file.path);
  }
  ArrowGraph graph;
  for (const TextFile& file : files) {
    if (scripts.contains(file.path)) check_file(file, scripts, graph, violations);
  }
  find_circles(graph, "require", violations);
}

}  // namespace wse::lint
