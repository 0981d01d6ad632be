// Which instructions control can come to, from the tasks of a program on.
//
// Follows every branch both ways and every call; says nothing of values.
#pragma once

#include <functional>

#include "isa/image/image.h"
#include "isa/instruction/instruction.h"

namespace wse::assembler {

// Calls visit(instruction, pc) for each that a task can come to, once and in no order, until it
// says true. Whether it did.
bool any_reached(
    const isa::Program& program,
    const std::function<bool(const isa::Instruction& instruction, std::uint32_t pc)>& visit);

// Whether a task can come to such an instruction.
bool reaches(const isa::Program& program, isa::Op op);

}  // namespace wse::assembler
