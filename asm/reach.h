// Which instructions control can come to, from the tasks of a program on.
//
// Follows every branch both ways and every call; says nothing of values.
#pragma once

#include "isa/image.h"
#include "isa/instruction.h"

namespace wse::assembler {

// Whether a task can come to such an instruction.
bool reaches(const isa::Program& program, isa::Op op);

}  // namespace wse::assembler
