// The operands of a vector instruction: what follows from it and from its descriptor registers.
// Values of registers and of the operand S are looked up when it starts.
#pragma once

#include <array>

#include "isa/descriptor/descriptor.h"
#include "isa/instruction/instruction.h"
#include "isa/semantics/descriptor_registers.h"

namespace wse::vm {

// As the register of a scalar: the operand S.
inline constexpr std::uint32_t kOperandS = isa::kRegisters;

struct Operand {
  // None: the instruction has no such operand. Unset: a descriptor register that was never loaded.
  enum class Kind : std::uint8_t {
    None,
    Unset,
    Register,
    Scalar,
    Memory,
    FabricIn,
    FabricOut,
    Fifo,
    Indexed,  // memory, the elements named by wavelets
  };

  Kind kind = Kind::None;
  // Register: a destination, or a source that is one too. Scalar: which one. Memory: its descriptor
  // register.
  std::uint32_t register_number = 0;
  isa::Descriptor descriptor{};  // of what has one; Fifo: the ring in which its elements lie

  bool is_memory() const { return kind == Kind::Memory; }
  bool is_fifo() const { return kind == Kind::Fifo; }
  bool is_indexed() const { return kind == Kind::Indexed; }
  bool has_descriptor() const { return kind >= Kind::Memory; }
  bool receives() const { return kind == Kind::FabricIn || is_indexed(); }
  bool is_fabric() const { return receives() || kind == Kind::FabricOut; }
  // One element per cycle goes in or out, and one may have to wait for it.
  bool is_stream() const { return is_fabric() || is_fifo(); }
  bool is_packed() const { return is_fabric() && descriptor.options.packed; }
  // How many wavelets bring, or carry away, so many elements of a fabric operand.
  std::uint64_t wavelets_of(std::uint64_t elements) const {
    return is_packed() ? (elements + 1) / 2 : elements;
  }
  isa::OnControl on_control() const {
    return receives() ? descriptor.options.on_control : isa::OnControl::Leave;
  }
  bool saves() const { return is_memory() && descriptor.saves; }
  // Whether the operand can decide how many elements the instruction has.
  bool has_length() const {
    return is_memory() || (is_fabric() && descriptor.bounds_instruction());
  }
  bool is_unbounded() const { return is_fabric() && descriptor.is_unbounded(); }
};

struct Operands {
  Operand destination;
  Operand source[2];
  Operand each;  // over what the instruction is mapped: its elements are S in turn

  std::array<const Operand*, 3> all() const { return {&destination, &source[0], &source[1]}; }
  // As the inputs of a flow.
  std::array<const Operand*, 3> in_order() const { return {&source[0], &source[1], &destination}; }
  // Returns the descriptor registers of the operands in memory, as bits.
  std::uint32_t descriptor_registers() const {
    std::uint32_t set = 0;
    for (const Operand* operand : {&destination, &source[0], &source[1], &each}) {
      if (operand->is_memory()) set |= 1u << operand->register_number;
    }
    return set;
  }
  // The descriptor registers whose positions move on, as bits.
  std::uint32_t saved_registers() const {
    std::uint32_t set = 0;
    for (const Operand* operand : all()) {
      if (operand->saves()) set |= 1u << operand->register_number;
    }
    if (each.saves()) set |= 1u << each.register_number;
    return set;
  }
};

// A source register that is the destination too is the accumulator of a reduction; every other
// scalar is read once.
Operands operands_of(const isa::DescriptorRegisters& d, const isa::Instruction& instruction);

}  // namespace wse::vm
