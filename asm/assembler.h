// The assembler: text in, program image or diagnostics out. Deterministic, no input can crash it.
//
//     source -> scanner -> parser -> Unit -> globals -> programs -> placing -> checks -> Image
//
// It runs nothing and reads no file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/image.h"
#include "isa/profile.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

inline constexpr std::size_t kMaxArguments = std::size_t{1} << 21;  // of all placements together
inline constexpr std::size_t kMaxSourceBytes = std::size_t{16} << 20;

struct Options {
  std::vector<std::pair<std::string, std::string>> overrides;  // name, value of a .const or .param
  isa::Profile profile;                                        // whose limits hold
  std::uint32_t max_grid_side = isa::kMaxGridSide;             // larger grids are refused
};

struct Output {
  std::optional<isa::Image> image;  // present iff there are no errors
  isa::Diagnostics diagnostics;
  isa::SourceFiles files;  // the source first, then the overrides; what diagnostics point into
};

Output assemble(isa::SourceFile source, const Options& options);

}  // namespace wse::assembler
