// The declarations of a program, in an order in which each is known before it is needed.
#pragma once

#include "asm/program/program_context.h"

namespace wse::assembler {

// Names, addresses of data, numbers of registers; tasks, FIFOs, labels and initial values.
void declare(ProgramContext& context);

}  // namespace wse::assembler
