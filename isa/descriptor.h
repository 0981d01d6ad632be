// Descriptors: what a vector operand is, as a literal in the program and as a value in a register.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace wse::isa {

enum class DescriptorKind : std::uint8_t { None, Memory, FabricIn, FabricOut };
inline constexpr std::uint32_t kDescriptorKinds = 4;

inline constexpr std::uint32_t kNoLength = 0xffffffffu;   // a fabric operand without a length
inline constexpr std::uint32_t kMaxLength = 0x00ffffffu;  // of one vector instruction

// A constant, or the value of a parameter slot.
struct SlotValue {
  bool is_slot = false;
  std::uint32_t value = 0;

  bool operator==(const SlotValue&) const = default;
};

// What a fabric operand does beside moving one element per wavelet.
struct FabricOptions {
  bool packed = false;   // two 16-bit elements per wavelet, the first in the low half
  bool control = false;  // output: the words leave as control wavelets
  bool advance = false;  // output: the own router's switch advances behind the last wavelet
  bool indexed = false;  // output: 16-bit data below an index

  bool operator==(const FabricOptions&) const = default;
};

// A descriptor as it stands in the program, shared by all PEs that run it.
struct DescriptorLiteral {
  DescriptorKind kind = DescriptorKind::Memory;
  SlotValue address;        // memory: byte address of element 0
  SlotValue length;         // elements; fabric: may be kNoLength
  std::int32_t stride = 1;  // memory: elements from one to the next
  SlotValue colour;         // fabric
  FabricOptions options{};  // fabric
  SlotValue index{};        // fabric output with options.indexed: bits 31:16 of every wavelet

  bool operator==(const DescriptorLiteral&) const = default;
};

// A descriptor register. Memory: `address` in bytes, `length` and `stride` in elements.
struct Descriptor {
  DescriptorKind kind = DescriptorKind::None;
  std::uint32_t colour = 0;
  std::uint32_t address = 0;
  std::uint32_t length = 0;
  std::int32_t stride = 0;
  FabricOptions options{};
  std::uint32_t index = 0;  // low half

  bool operator==(const Descriptor&) const = default;
};

inline std::uint32_t value_of(const SlotValue& value, const std::uint32_t* slots) {
  return value.is_slot ? slots[value.value] : value.value;
}

inline Descriptor resolve(const DescriptorLiteral& literal, const std::uint32_t* slots) {
  return {literal.kind,
          value_of(literal.colour, slots),
          value_of(literal.address, slots),
          value_of(literal.length, slots),
          literal.stride,
          literal.options,
          value_of(literal.index, slots)};
}

}  // namespace wse::isa
