// Choices of a caller of the assembler, bounds that a source may not exceed, and numbers that the
// assembler chose itself.
//
// The assembler opens no file: `Options::load` does, and no other way leads to one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asm/text/warning_choice.h"
#include "isa/machine/profile.h"
#include "isa/support/limits.h"
#include "isa/support/result.h"

namespace wse::assembler {

inline constexpr std::size_t kMaxArguments = std::size_t{1} << 21;     // of all placements together
inline constexpr std::size_t kMaxSourceBytes = std::size_t{16} << 20;  // of all files together
inline constexpr std::size_t kMaxIncludeDepth = 32;

// The text at a path, nothing if there is no such file, or why it cannot be read.
using Loader = std::function<isa::Result<std::optional<std::string>>(const std::string& path)>;

struct Options {
  std::vector<std::pair<std::string, std::string>> overrides;  // name, value of a .const or .param
  isa::Profile profile;                                        // whose limits hold
  std::uint32_t max_grid_side = isa::kMaxGridSide;             // larger grids are refused
  std::string path = {};  // of the source, as `load` knows it; its includes are relative to it
  std::vector<std::string> include_folders = {};  // where else they may be
  Loader load = {};                               // none: nothing can be included
  std::vector<WarningChoice> warnings = {};       // of two for one code the later one holds
};

// A number that the assembler took for a name, or was told to: "step" is "r0".
struct ChosenNumber {
  std::string program;  // empty: the top level
  std::string name;
  std::string value;
};

}  // namespace wse::assembler
