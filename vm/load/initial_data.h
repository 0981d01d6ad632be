// The initial data of all PEs, written by several threads where there is much of it.
#pragma once

#include "isa/image/image.h"
#include "vm/load/loaded.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

// Writes those of the PEs `own`, whole rows of the mesh; what PEs share may be there for all.
// Errors: of the first PE, in the order of placements, rows and columns, whose data a formula does
// not give; the same for any number of threads, of which there are at most `threads`. Out of
// memory.
isa::Attempt<void> fill_initial_data(const isa::Image& image, const isa::Topology& mesh,
                                     const PeRange& own, std::uint32_t threads, Loaded& loaded);

}  // namespace wse::vm
