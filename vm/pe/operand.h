// The operands of a vector instruction, looked up when it starts.
#pragma once

#include <array>

#include "isa/descriptor.h"
#include "isa/instruction.h"
#include "isa/semantics/state.h"

namespace wse::vm {

struct Operand {
  // None: the instruction has no such operand. Unset: a descriptor register that was never loaded.
  enum class Kind : std::uint8_t { None, Unset, Register, Scalar, Memory, FabricIn, FabricOut };

  Kind kind = Kind::None;
  // Register: a destination, or a source that is one too. Memory: its descriptor register.
  std::uint32_t register_number = 0;
  std::uint32_t word = 0;      // Scalar: its value
  isa::Descriptor descriptor;  // Memory, FabricIn, FabricOut

  bool is_memory() const { return kind == Kind::Memory; }
  bool is_fabric() const { return kind == Kind::FabricIn || kind == Kind::FabricOut; }
  bool saves() const { return is_memory() && descriptor.saves; }
  bool has_length() const {
    return (is_memory() || is_fabric()) && descriptor.length != isa::kNoLength;
  }
};

struct Operands {
  Operand destination;
  Operand source[2];
  std::uint32_t scalar = 0;  // the operand S

  std::array<const Operand*, 3> all() const { return {&destination, &source[0], &source[1]}; }
  // The descriptor registers whose positions move on, as bits.
  std::uint32_t saved_registers() const {
    std::uint32_t set = 0;
    for (const Operand* operand : all()) {
      if (operand->saves()) set |= 1u << operand->register_number;
    }
    return set;
  }
};

// The operands of the instruction with the values that they have now. A source register that is the
// destination too is the accumulator of a reduction; every other scalar is read once.
Operands operands_of(const isa::ScalarState& state, const isa::Instruction& instruction);

}  // namespace wse::vm
