// The operands of a vector instruction, looked up when it starts.
#pragma once

#include "isa/descriptor.h"
#include "isa/instruction.h"
#include "isa/semantics/state.h"

namespace wse::vm {

struct Operand {
  // None: the instruction has no such operand. Unset: a descriptor register that was never loaded.
  enum class Kind : std::uint8_t { None, Unset, Register, Scalar, Memory, FabricIn, FabricOut };

  Kind kind = Kind::None;
  std::uint32_t register_number = 0;  // Register: a destination, or a source that is one too
  std::uint32_t word = 0;             // Scalar: its value
  isa::Descriptor descriptor;         // Memory, FabricIn, FabricOut

  bool is_memory() const { return kind == Kind::Memory; }
  bool is_fabric() const { return kind == Kind::FabricIn || kind == Kind::FabricOut; }
  bool has_length() const {
    return (is_memory() || is_fabric()) && descriptor.length != isa::kNoLength;
  }
};

struct Operands {
  Operand destination;
  Operand source[2];
  std::uint32_t scalar = 0;  // the operand S
};

// The operands of the instruction with the values that they have now. A source register that is the
// destination too is the accumulator of a reduction; every other scalar is read once.
Operands operands_of(const isa::ScalarState& state, const isa::Instruction& instruction);

}  // namespace wse::vm
