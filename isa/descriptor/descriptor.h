// Descriptors: what a vector operand is, as a literal in the program and as a value in a register.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/instruction/instruction.h"
#include "isa/machine/fabric.h"
#include "isa/support/mutant.h"

namespace wse::isa {

enum class DescriptorKind : std::uint8_t {
  None,
  Memory,
  FabricIn,
  FabricOut,
  Circular,
  Fifo,
  Indexed,  // memory whose elements are named by wavelets
};
inline constexpr std::uint32_t kDescriptorKinds = 7;

inline constexpr std::uint32_t kNoLength = 0xffffffffu;   // a fabric operand without a length
inline constexpr std::uint32_t kMaxLength = 0x00ffffffu;  // of one vector instruction
// The word after `length=` of a fabric operand for an instruction that a control wavelet or a FIFO
// ends. No number means that.
inline constexpr std::string_view kEndlessText = "endless";
// The number that means "without bound" in the vendor's SDK: no literal of a source may be this
// length of a fabric operand. As the value of an expression or a register it is like any other.
inline constexpr std::uint32_t kReservedLength = 0x7fff;
// So that 64 bits hold every address that a descriptor can name, in memory or not.
inline constexpr std::int32_t kMaxStride = kMaxLength;
inline constexpr std::uint32_t kMaxDimensions = 4;

constexpr bool is_memory(DescriptorKind kind) {
  return kind == DescriptorKind::Memory || kind == DescriptorKind::Circular;
}
constexpr bool has_address(DescriptorKind kind) {
  return is_memory(kind) || kind == DescriptorKind::Indexed;
}
constexpr bool receives(DescriptorKind kind) {
  return kind == DescriptorKind::FabricIn || kind == DescriptorKind::Indexed;
}
constexpr bool has_colour(DescriptorKind kind) {
  return receives(kind) || kind == DescriptorKind::FabricOut;
}
constexpr bool has_length(DescriptorKind kind) {
  return kind != DescriptorKind::None && kind != DescriptorKind::Fifo;
}

// A constant, or the value of a parameter slot.
struct SlotValue {
  bool is_slot = false;
  std::uint32_t value = 0;

  bool operator==(const SlotValue&) const = default;
};

// The act of an instruction on a control wavelet that is first in its input.
enum class OnControl : std::uint8_t { Leave, Terminate, Activate, Unblock };
inline constexpr std::uint32_t kOnControls = 4;
inline constexpr std::string_view kOnControlTexts[] = {"", "terminate", "activate", "unblock"};

// The acts of a fabric operand beside moving one element per wavelet.
struct FabricOptions {
  bool packed = false;   // two 16-bit elements per wavelet, the first in the low half
  bool control = false;  // output: the words leave as control wavelets
  bool advance = false;  // output: the own router's switch advances after the last wavelet
  bool indexed = false;  // output: 16-bit data below an index
  bool endless = false;  // the instruction has no bound; then the length is kNoLength
  OnControl on_control = OnControl::Leave;  // input

  // Activate and Unblock name a task.
  bool tells_task() const { return on_control > OnControl::Terminate; }

  bool operator==(const FabricOptions&) const = default;
};

// Whether a descriptor of that kind can have these options together.
bool may_have(DescriptorKind kind, const FabricOptions& options);

// A descriptor as it stands in the program, shared by all PEs that run it.
struct DescriptorLiteral {
  // A dimension inside the outermost one.
  struct Inner {
    SlotValue extent;         // elements
    std::int32_t stride = 1;  // elements of the array from one to the next

    bool operator==(const Inner&) const = default;
  };

  DescriptorKind kind = DescriptorKind::Memory;
  SlotValue address;          // memory: byte address of element 0
  SlotValue length;           // elements, of the outermost dimension; fabric: may be kNoLength,
                              // which no slot can give
  std::int32_t stride = 1;    // memory: elements from one to the next, of the outermost dimension
  SlotValue colour;           // fabric
  FabricOptions options{};    // fabric
  SlotValue index{};          // fabric output with options.indexed: bits 31:16 of every wavelet
  SlotValue task{};           // of options.on_control
  std::uint32_t fifo = 0;     // FIFO: its number in the program
  bool saves = false;         // memory: its position moves on with every instruction
  std::uint32_t further = 0;  // memory: dimensions inside the outermost one
  std::array<Inner, kMaxDimensions - 1> inner;  // from the outside to the inside
  SlotValue ring;                               // circular: elements until it begins again;
                                                // indexed: elements of the array
  SlotValue start;                              // circular: position at first

  bool has_ring() const {
    return kind == DescriptorKind::Circular || kind == DescriptorKind::Indexed;
  }
  bool operator==(const DescriptorLiteral&) const = default;
};

// A descriptor register. Memory: `address` in bytes, lengths and strides in elements. Element k of
// an instruction is element position + k of the descriptor: counted round the ring, or through the
// dimensions, of which the outermost has no end; `length` alone says how many there are.
struct Descriptor {
  struct Inner {
    std::uint32_t extent = 0;
    std::int32_t stride = 0;

    bool operator==(const Inner&) const = default;
  };

  DescriptorKind kind = DescriptorKind::None;
  std::uint32_t colour = 0;
  std::uint32_t address = 0;
  std::uint32_t length = 0;  // of an instruction, all dimensions together
  std::int32_t stride = 0;
  FabricOptions options{};
  std::uint32_t index = 0;  // at most 16 bits
  bool saves = false;
  std::uint8_t further = 0;
  std::uint8_t task = 0;
  std::uint8_t fifo = 0;
  std::array<Inner, kMaxDimensions - 1> inner{};
  std::uint32_t ring = 0;
  std::uint32_t position = 0;

  bool operator==(const Descriptor&) const = default;
  bool is_unbounded() const {
    if (mutant(Mutant::NumberIsEndless) && length == kReservedLength) return has_colour(kind);
    return options.endless;
  }
  // Whether the descriptor can decide how many elements an instruction has, or that it has no
  // bound.
  bool bounds_instruction() const { return length != kNoLength || options.endless; }
  std::int32_t innermost_stride() const {
    return further == 0 ? stride : inner[further - 1].stride;
  }
};

inline std::uint32_t value_of(const SlotValue& value, const std::uint32_t* slots) {
  return value.is_slot ? slots[value.value] : value.value;
}

// The descriptor at a PE. A product of extents beyond all lengths stays beyond them.
Descriptor resolve(const DescriptorLiteral& literal, const std::uint32_t* slots);

// The size of a descriptor register in memory: words in the order of stored().
inline constexpr std::uint32_t kStoredDescriptorWords = 14;
using StoredDescriptor = std::array<std::uint32_t, kStoredDescriptorWords>;

StoredDescriptor stored(const Descriptor& descriptor);

// Reads a descriptor. Returns nothing if the words are not one: an unknown kind or flag, a
// dimension, stride or colour that none can have, a field that its kind does not have.
std::optional<Descriptor> descriptor_of(const StoredDescriptor& words);

}  // namespace wse::isa
