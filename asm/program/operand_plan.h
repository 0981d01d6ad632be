// An operand of an instruction, seen without its instruction: register, memory, descriptor
// or value.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "asm/program/program_context.h"

namespace wse::assembler {

enum class OperandKind : std::uint8_t { Register, DescriptorRegister, Descriptor, Memory, Value };

struct OperandPlan {
  OperandKind kind = OperandKind::Value;
  isa::SourceRange where{};
  std::uint32_t number = 0;                    // of the register
  std::optional<DescriptorPlan> descriptor{};  // iff it is a Descriptor
  isa::Formula formula{};                      // Value; Memory: its byte address
  std::optional<std::uint32_t> index{};        // Memory: register with the number of the element
  std::optional<std::uint32_t> base{};         // Memory: register with its address, in place of it
  std::vector<RegisterTerm> terms{};           // Memory: the number of the element, if not `index`
  std::optional<isa::Type> element{};          // Memory, if known

  bool is_vector() const {
    return kind == OperandKind::Descriptor || kind == OperandKind::DescriptorRegister;
  }
  // Memory: no register says where it is.
  bool is_fixed() const { return !index && !base && terms.empty(); }
  // Whether the register says which element it is.
  bool lies_by(std::uint32_t number_of_register) const;
};

inline isa::Formula formula_of(std::int64_t value) {
  return isa::Formula::of(isa::Number::of(value));
}

// Returns the value of a formula that is a constant.
inline std::optional<std::int64_t> constant_of(const isa::Formula& formula) {
  if (!formula.is_constant()) return std::nullopt;
  return formula.nodes[0].constant.integer;
}

// All elements of an array, one after the other.
OperandPlan whole_array(const isa::Symbol& array, const isa::SourceRange& where);

// "a register", "a vector operand" ... for messages.
std::string_view describe(OperandKind kind);

}  // namespace wse::assembler
