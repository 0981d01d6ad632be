// The instructions of a program's code, one after the other as they lie there.
//
// This is no path of execution: jumps are not followed. Must never be asked for the rest of code
// that does not decode, since nobody knows where the next instruction begins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "isa/instruction/codec.h"

namespace wse::isa {

// Calls visit(instruction, pc) for each, up to the first word that is no instruction. True if all
// were.
template <class Visit>
bool for_each_instruction(std::span<const std::uint32_t> code, Visit visit) {
  for (std::uint32_t pc = 0; pc < code.size();) {
    const std::optional<Instruction> instruction = decode(code.subspan(pc));
    if (!instruction) return false;
    visit(*instruction, pc);
    pc += info(instruction->op).words();
  }
  return true;
}

}  // namespace wse::isa
