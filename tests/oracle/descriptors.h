// Descriptors: from the literal of a program to the address of an element.
#pragma once

#include <cstdint>
#include <span>

#include "isa/descriptor/descriptor.h"

namespace wse::oracle {

isa::Descriptor descriptor_at(const isa::DescriptorLiteral& literal,
                              std::span<const std::uint32_t> slots);

// The byte address of element k of an instruction.
std::uint64_t address_of(const isa::Descriptor& descriptor, std::uint64_t k, std::uint32_t bytes);

// Between elements that follow each other, in elements: what the stride rule looks at.
std::int32_t innermost_stride(const isa::Descriptor& descriptor);

// The position after an instruction of `length` elements.
std::uint32_t position_behind(const isa::Descriptor& descriptor, std::uint64_t length);

// Registers that no `setd` has set yet hold nothing; an operand must have a kind that fits its
// side.
bool fits(const isa::Descriptor& descriptor, bool written);

}  // namespace wse::oracle
