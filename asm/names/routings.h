// Switch positions and filters from their syntax to the image.
#pragma once

#include <optional>
#include <string_view>

#include "asm/names/formulas.h"
#include "asm/names/globals.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "isa/machine/profile.h"

namespace wse::assembler {

// Positions with both sides; `name` is the colour or the routing. Returns nothing after a reported
// error.
std::optional<isa::Routing> expand_routing(const RoutingSyntax& syntax, std::string_view name,
                                           const Globals& globals, const isa::Profile& profile,
                                           Reporter& reporter);

// Reports a port that the routers of the grid do not have. True if there is none, or no grid.
bool check_ports(std::uint32_t ports, const isa::SourceRange& where, const Globals& globals,
                 Reporter& reporter);

// The values of a filter, as many as its kind has. Returns nothing after a reported error.
std::optional<std::vector<isa::Formula>> filter_values(const FilterSyntax& syntax, const Unit& unit,
                                                       FormulaBuilder builder, Reporter& reporter);

}  // namespace wse::assembler
