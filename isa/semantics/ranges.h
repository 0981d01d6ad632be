// Vector instructions: the function of the row, applied to a range of elements, first to last.
//
// An operand is a place and a step in bytes; a scalar has step 0. Elements have the sizes that the
// row says; one of 2 bytes is the low half of what a wider place holds. The destination may be the
// same words as a source (in place, accumulation), because each element is written before the next
// is read. Any other overlap must have been refused before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/instruction/instruction.h"

namespace wse::isa {

struct ElementRange {
  std::byte* at = nullptr;
  std::ptrdiff_t step = 0;  // bytes
};

// d = op(a, b, c) for `count` elements. Operands that the instruction does not have are ignored.
using RangeFunction = void (*)(ElementRange d, ElementRange a, ElementRange b, std::uint32_t c,
                               std::size_t count);

// Hosts that loops are compiled for: the levels of the x86-64 psABI. Plain: what all hosts have
// that this build is for, the only one where that is another processor. All give the same bits.
enum class HostLevel : std::uint8_t { Plain, V2, V3, V4 };
inline constexpr HostLevel kHostLevels[] = {HostLevel::Plain, HostLevel::V2, HostLevel::V3,
                                            HostLevel::V4};

// Whether this host can run it.
bool has_level(HostLevel level);

// The range function of a vector instruction; nullptr for a scalar one. At the highest level that
// the host has, or at one that it must have.
RangeFunction range_function(Op op);
RangeFunction range_function(Op op, HostLevel level);

}  // namespace wse::isa
