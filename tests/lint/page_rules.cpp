// Names in pages exist: a file of C++ in back-ticks is a file of the checkout, by its whole path
// or by the end of it ("`run/run_loop.cpp`", "`queue.h`").
// Must never look into blocks of code: these may make files, as recipes do.
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "tests/lint/lint.h"

namespace wse::lint {
namespace {

// Calls visit(text) for each part of the line between two back-ticks.
template <class Visit>
void for_each_quoted(std::string_view line, Visit visit) {
  for (std::size_t begin = line.find('`'); begin != std::string_view::npos;) {
    const std::size_t end = line.find('`', begin + 1);
    if (end == std::string_view::npos) return;
    visit(line.substr(begin + 1, end - begin - 1));
    begin = line.find('`', end + 1);
  }
}

// Returns whether the text names one file of C++: no pattern, no ending alone, nothing beside it.
bool names_cpp(std::string_view text) {
  for (const char c : text) {
    if (!is_word_character(c) && c != '/' && c != '.' && c != '-') return false;
  }
  return !text.starts_with('.') && is_cpp(std::string(text));
}

// Returns the ends of all paths of C++, each from a name on: "vm/a/b.h", "a/b.h" and "b.h".
std::set<std::string, std::less<>> ends_of_paths(const std::vector<TextFile>& files) {
  std::set<std::string, std::less<>> ends;
  for (const TextFile& file : files) {
    if (!is_cpp(file.path)) continue;
    std::string_view end = file.path;
    ends.emplace(end);
    for (std::size_t slash; (slash = end.find('/')) != std::string_view::npos;) {
      end.remove_prefix(slash + 1);
      ends.emplace(end);
    }
  }
  return ends;
}

}  // namespace

void check_pages(const std::vector<TextFile>& files, Violations& violations) {
  const auto ends = ends_of_paths(files);
  for (const TextFile& page : files) {
    if (!page.path.ends_with(".md") || page.path == "CHANGELOG.md") continue;
    bool in_block = false;
    for (std::size_t k = 0; k < page.lines.size(); ++k) {
      const std::string_view line = page.lines[k];
      const std::size_t first = line.find_first_not_of(' ');
      if (first != std::string_view::npos && line.substr(first).starts_with("```")) {
        in_block = !in_block;
        continue;
      }
      if (in_block) continue;
      for_each_quoted(line, [&](std::string_view text) {
        if (!names_cpp(text) || ends.contains(text)) return;
        violations.push_back({page.path, k + 1, fmt::format("no file is named {}", text)});
      });
    }
  }
}

}  // namespace wse::lint
