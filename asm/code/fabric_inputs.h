// Instructions that name too many fabric inputs. Where one is emitted it is only noted;
// asm/mesh/machine_limits.h reports it, in the order of the text with what else the machine lacks.
#pragma once

#include <cstdint>

#include "isa/support/diagnostics.h"

namespace wse::assembler {

// An instruction that receives from more fabric inputs than the machine lets it.
struct FabricInputs {
  std::uint32_t count = 0;
  isa::SourceRange where{};  // of the first one too many
};

}  // namespace wse::assembler
