// Chooses the address of data: the next free one, the next in a bank, or the one that is pinned.
#pragma once

#include "asm/program/program_context.h"

namespace wse::assembler {

// After the data before them; reports a place that they cannot have.
std::uint64_t data_address(const ProgramContext& context, const DataSyntax& data);

}  // namespace wse::assembler
