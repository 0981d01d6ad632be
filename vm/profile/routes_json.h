// The routes of a program as JSON, for those who look at a PE of its profile.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "isa/image/image.h"

namespace wse::vm {

// Rectangles of routes that a profile keeps: about 200 kB of text.
inline constexpr std::size_t kMostRouteRects = 4096;

// Returns {"total": rectangles, "kinds": [{"colour": index, "positions": [[from, [to, ...]], ...],
// "start": the position at the start, "ring", "pop", "torn_down", "where": [[x0, x1, step, y0, y1,
// step], ...]}, ...]}: routes that differ in their places alone are one. Where there are more than
// kMostRouteRects rectangles, "kinds" is null.
nlohmann::ordered_json routes_json(const isa::Image& image);

}  // namespace wse::vm
