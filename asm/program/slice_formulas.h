// The arithmetic of slices: a[from:to:step] has max(0, ceil((to - from) / step)) elements.
#pragma once

#include <optional>

#include "asm/program/operand_plan.h"

namespace wse::assembler {

// The parts of a slice of an array of `count` elements, as formulas in elements.
struct SliceFormulas {
  isa::Formula first{};
  isa::Formula length{};
};
isa::Result<SliceFormulas> slice_formulas(std::optional<isa::Formula> from,
                                          std::optional<isa::Formula> to, std::int64_t step,
                                          std::int64_t count);

}  // namespace wse::assembler
