// Definitions of the top level: constants, colours, entries, parameters of the image, the grid.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asm/names/names.h"
#include "asm/syntax/syntax.h"
#include "asm/text/options.h"
#include "asm/text/report.h"

namespace wse::assembler {

struct Globals {
  NameTable names;
  std::vector<std::optional<isa::Number>> constants;       // nothing: reported
  std::vector<std::optional<isa::Number>> colour_numbers;  // by index of definition
  std::vector<std::string> colours;                        // names by number
  std::vector<std::optional<isa::Number>> entry_numbers;   // by index of definition
  std::vector<std::string> entries;                        // names by number
  std::vector<isa::GlobalParameter> parameters;
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t hypercube_dimensions = 0;  // as in isa::Image
  bool has_grid = false;

  isa::Topology topology() const {
    return hypercube_dimensions > 0 ? isa::Topology::hypercube(hypercube_dimensions)
                                    : isa::Topology::mesh(width, height);
  }
};

// Resolves them in an order in which nothing is needed before it is known. `expand` is called when
// constants are, and the grid if programs have constants: it makes the code that colours are
// numbered for.
Globals resolve_globals(const Unit& unit, const Options& options,
                        const std::function<void(const Globals&)>& expand, Reporter& reporter);

}  // namespace wse::assembler
