// An instruction on its way from a line to code words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "asm/program/operand_plan.h"
#include "asm/syntax/syntax.h"
#include "isa/instruction/instruction.h"

namespace wse::assembler {

inline constexpr std::uint32_t kNoLabel = ~0u;

// As the source has it.
struct Line {
  const BodySyntax* syntax = nullptr;
  std::span<const ExprId> exprs{};
  std::vector<OperandPlan>& operands;  // of value letters; the others stay empty
  const isa::InstructionInfo* row = nullptr;
};

// The instruction that a line becomes, and its needs when its fields are filled.
struct Work {
  isa::Instruction instruction{};
  const OperandPlan* scalar = nullptr;  // the value of its S
  isa::OperandType scalar_type = isa::OperandType::Any32;
  const OperandPlan* address = nullptr;
  const OperandPlan* store = nullptr;   // where its result goes
  const OperandPlan* loaded = nullptr;  // the descriptor that is loaded
  std::uint32_t label = kNoLabel;
};

// `a ? S` is one operand, a comparison.
inline bool is_comparison(const isa::InstructionInfo& row) {
  return row.format == isa::Format::Assert;
}

// "fadds destination, source, source", from the operand letters.
std::string usage(const isa::InstructionInfo& row);

}  // namespace wse::assembler
