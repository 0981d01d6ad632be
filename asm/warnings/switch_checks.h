// Warns of switch positions that nothing in the whole source can ever reach.
//
// A colour leaves its first position only by a control wavelet, an `advance` or a `setpos` of that
// colour, wherever they are. A colour that is known only in a PE counts as each of them.
#pragma once

#include <vector>

#include "asm/mesh/placing.h"
#include "asm/text/report.h"
#include "isa/image/image.h"

namespace wse::assembler {

// Checks an image without errors.
void check_switches(const std::vector<isa::Program>& programs,
                    const std::vector<PlacedRoute>& routes, const Unit& unit, Reporter& reporter);

}  // namespace wse::assembler
