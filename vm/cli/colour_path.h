// The way of a wavelet over the mesh, as the routes of an image say, drawn for people.
//
// Nothing runs: routes that programs write and filters are not seen.
#pragma once

#include <string>
#include <string_view>

#include "isa/image/image.h"
#include "isa/support/result.h"

namespace wse::cli {

// COLOUR@X,Y: where a wavelet begins.
struct PathStart {
  std::string colour;  // its name, or its number
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

// Follows a wavelet that the PE sends: as the run begins, then after each switch of the colour has
// advanced once, twice, three times, where that differs. Lists the routers with the links in front
// of them; draws grids of at most 96 x 48 PEs. Errors: no such colour, no such PE.
isa::Result<std::string> path_text(const isa::Image& image, const PathStart& start);

}  // namespace wse::cli
