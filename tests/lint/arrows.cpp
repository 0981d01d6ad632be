// Depth-first search; an arrow back to a file on the current path closes a circle.
#include "tests/lint/arrows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace wse::lint {
namespace {

class CircleFinder {
 public:
  CircleFinder(const ArrowGraph& graph, std::string_view what, Violations& violations)
      : graph_(graph), what_(what), violations_(violations) {}

  void run() {
    for (const auto& [file, arrows] : graph_) visit(file);
  }

 private:
  void visit(const std::string& file) {
    const auto arrows = graph_.find(file);
    if (arrows == graph_.end() || !visited_.insert(file).second) return;
    path_.push_back(file);
    for (const Arrow& arrow : arrows->second) {
      const auto start = std::ranges::find(path_, arrow.target);
      if (start == path_.end()) {
        visit(arrow.target);
      } else {
        const std::vector<std::string> circle(start, path_.end());
        violations_.push_back(
            {file, arrow.line,
             fmt::format("{} circle: {} -> {}", what_, fmt::join(circle, " -> "), arrow.target)});
      }
    }
    path_.pop_back();
  }

  const ArrowGraph& graph_;
  std::string_view what_;
  Violations& violations_;
  std::set<std::string> visited_;
  std::vector<std::string> path_;
};

}  // namespace

void find_circles(const ArrowGraph& graph, std::string_view what, Violations& violations) {
  CircleFinder(graph, what, violations).run();
}

bool is_within(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

}  // namespace wse::lint
