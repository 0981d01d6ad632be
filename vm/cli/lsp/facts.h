// The facts about a name that only an assembled program has: values, numbers, addresses, banks,
// PEs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vm/cli/lsp/workspace.h"

namespace wse::lsp {

// Returns the codes that the assembler made of a program of the source, one for each role.
std::vector<const isa::Program*> codes_of(const isa::Image& image, std::string_view name);

// Returns Markdown of what became of the name; empty if nothing is known. `checked` is assembled.
std::string facts_of(const Checked& checked, const assembler::IndexedSymbol& symbol);

}  // namespace wse::lsp
