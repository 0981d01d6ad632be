// Which colours need a switch: names whose routes have several positions. They are numbered so that
// they get one, on a machine where not every colour has.
#pragma once

#include <string_view>
#include <unordered_set>

#include "asm/syntax/syntax.h"

namespace wse::assembler {

// The names of colours that a route, or a `setroute` that names one, gives several positions.
std::unordered_set<std::string_view> switched_colours(const Unit& unit);

}  // namespace wse::assembler
