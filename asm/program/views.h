// Views: a second name, with another type or shape, for memory that data of the program take.
//
// A view covers exactly what it names, so that nobody reads a neighbour by mistake.
#pragma once

#include "asm/program/program_context.h"

namespace wse::assembler {

// `view(...)` instead of a value.
bool is_view(const ProgramContext& context, const DataSyntax& data);

// Puts a view, whose type and shape are known, over the memory that its line names; reports one
// that does not fit there. Elements are counted here if the shape leaves that open.
bool lay_view(ProgramContext& context, const DataSyntax& data, isa::Symbol& symbol);

}  // namespace wse::assembler
