// The instruction set as a Lua chunk: `return {instructions = {{name = "...", ...}, ...}}`.
#pragma once

#include <string>

#include "isa/instruction/instruction.h"

namespace wse::script {

std::string isa_lua();

// "any32", "i32": an operand type as tables name it.
std::string operand_type_name(isa::OperandType type);

}  // namespace wse::script
