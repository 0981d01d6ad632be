// Files and whom they need: the graph of #include lines, and that of Lua's require.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/lint/lint.h"

namespace wse::lint {

struct Arrow {
  std::string target;  // a path relative to the root
  size_t line = 1;     // where the file names it
};

using ArrowGraph = std::map<std::string, std::vector<Arrow>>;  // by file

// Reports each arrow that closes a circle; `what` begins the message: "include", "require".
void find_circles(const ArrowGraph& graph, std::string_view what, Violations& violations);

// Whether the path lies below the folder.
bool is_within(std::string_view path, std::string_view folder);

}  // namespace wse::lint
