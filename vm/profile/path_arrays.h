// The critical path of a run as arrays of its profile, and what meta says of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "vm/profile/line_texts.h"
#include "vm/run/machine.h"

namespace wse::vm {

struct PathArrays {
  std::vector<std::pair<std::string_view, std::vector<std::uint64_t>>> arrays;  // see arrays.def
  nlohmann::ordered_json meta;  // README.md says of what
};

// Returns those of a run that has stopped after so many cycles; nothing if it kept no causes, see
// RunOptions::path, or nothing happened at the end of the path.
std::optional<PathArrays> path_arrays(const Machine& machine, Cycle cycles, const LineTexts& texts);

}  // namespace wse::vm
