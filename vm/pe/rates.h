// How many elements a vector instruction issues at a time: min(SIMD table, ports, strides, fabric).
#pragma once

#include "isa/machine/profile.h"
#include "vm/pe/operand.h"

namespace wse::vm {

struct Rate {
  std::uint32_t elements_per_issue = 1;
  std::uint32_t cycles_per_issue = 1;
};

// `simd` is the limit of the cost class of `row`, whose operand types give the element sizes.
Rate rate_of(const isa::Profile& profile, std::uint32_t simd, const isa::InstructionInfo& row,
             const Operands& operands);

}  // namespace wse::vm
