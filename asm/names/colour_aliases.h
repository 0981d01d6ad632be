// Further names of colours: `.colour green = red`. Which colour each name means is known before any
// has a number; nothing is numbered here.
#pragma once

#include <vector>

#include "asm/names/names.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"

namespace wse::assembler {

// The number of a name that has an error, which is reported.
inline constexpr std::size_t kNoColour = ~std::size_t{0};

// For each name of `indices`, which are those of unit.colours that are no duplicates, the one above
// whose number it shares; itself if it has one of its own. `names` knows all of them.
std::vector<std::size_t> colour_roots(const Unit& unit, const std::vector<std::size_t>& indices,
                                      const NameTable& names, Reporter& reporter);

}  // namespace wse::assembler
