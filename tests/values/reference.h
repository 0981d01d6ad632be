// Operands for the f32 and f16 instructions, with the results that they must have.
//
// Compiled once, unlike what it judges. Must never compute a result with a floating-point type, nor
// with a function of isa/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/instruction/instruction.h"

namespace wse::values {

using Word = std::uint32_t;

// Operands of many executions and the result of each; a branch gives 1 if it is taken. What lies
// above 16-bit operands is noise.
struct Block {
  std::vector<Word> operand[3];
  std::vector<Word> expected;

  std::size_t size() const { return expected.size(); }
};

// Whether the table has a reference for this mnemonic.
bool has_reference(std::string_view mnemonic);

// All combinations of special values: a block for the sources of the row.
Block special_block(const isa::InstructionInfo& row);

// Random operands; the same for the same seed.
Block random_block(const isa::InstructionInfo& row, std::uint32_t seed, std::size_t count);

// The sources that the instruction has.
std::size_t source_count(const isa::InstructionInfo& row);

}  // namespace wse::values
