// Instruction words to decoded instructions and back, from the bit strings of formats.def.
//
// decode() accepts exactly what encode() can produce: unknown opcodes, set bits that must be zero
// and fields out of range are refused, so a decoded instruction can be executed without further
// checks of its register numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/instruction/instruction.h"

namespace wse::isa {

// Appends the one or two words of the instruction.
void encode(const Instruction& instruction, std::vector<std::uint32_t>& words);

// The instruction that begins at words[0], or nothing if there is none.
std::optional<Instruction> decode(std::span<const std::uint32_t> words);

}  // namespace wse::isa
