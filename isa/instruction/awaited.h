// Float arithmetic on registers whose result the very next instruction reads.
//
// This follows from the code alone: what lies behind such an instruction is what is executed after
// it. Marks, prints and asserts between the two take no time and are looked through.
#pragma once

#include <cstdint>
#include <span>

#include "isa/instruction/instruction.h"

namespace wse::isa {

// True of instructions that can be: scalar ones that count flops, without divisions, which take
// longer than any latency of arithmetic.
constexpr bool may_be_awaited(const InstructionInfo& row) {
  return row.flops > 0 && row.cost == CostClass::Simple;
}

// True if the instruction reads the general register, as an operand, an address or an accumulator.
bool reads_register(const Instruction& i, std::uint32_t number);

// `rest`: the code words behind the instruction.
bool is_awaited(const Instruction& i, std::span<const std::uint32_t> rest);

}  // namespace wse::isa
