// Rooms with floors: which folders of a room may include which, and the picture of that in its
// README.
#pragma once

#include <string_view>
#include <vector>

#include "tests/lint/arrows.h"
#include "tests/lint/lint.h"

namespace wse::lint {

// A folder of floors, the lowest first. The folders of a floor stand side by side: each may include
// all floors below it and what is outside, but none of the others. Files of the folder itself are
// on top.
struct Building {
  std::string_view folder;
  std::vector<std::string_view> outside;
  std::vector<std::vector<std::string_view>> floors;
  bool shows_arrows = false;  // its picture says which folders each one includes
};

const std::vector<Building>& buildings();

// Reports READMEs whose picture of the floors is not what `buildings()` and the includes say.
void check_pictures(const std::vector<TextFile>& files, const ArrowGraph& includes,
                    Violations& violations);

}  // namespace wse::lint
