// Switch positions and filters from their syntax to the image.
#pragma once

#include <optional>
#include <string_view>

#include "asm/formulas.h"
#include "asm/report.h"
#include "asm/syntax.h"
#include "isa/profile.h"

namespace wse::assembler {

// Positions with both sides; `name` is the colour or the routing. Nothing after a reported error.
std::optional<isa::Routing> expand_routing(const RoutingSyntax& syntax, std::string_view name,
                                           const isa::Profile& profile, Reporter& reporter);

// The values of a filter, as many as its kind has. Nothing after a reported error.
std::optional<std::vector<isa::Formula>> filter_values(const FilterSyntax& syntax, const Unit& unit,
                                                       FormulaBuilder builder, Reporter& reporter);

}  // namespace wse::assembler
