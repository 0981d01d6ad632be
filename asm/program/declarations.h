// What a program declares, in the order in which nothing is needed before it is known.
#pragma once

#include "asm/program/program_context.h"

namespace wse::assembler {

// Names, addresses of data, numbers of registers; tasks, FIFOs, labels and initial values.
void declare(ProgramContext& context);

}  // namespace wse::assembler
