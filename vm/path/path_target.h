// The event whose path is wanted, as a user names it.
#pragma once

#include <string>

#include "isa/image/image.h"
#include "isa/support/result.h"
#include "vm/ledger/cause_state.h"

namespace wse::vm {

// Returns the event that `to` names: "" is what ends last, else "X,Y", "X,Y@CYCLE" or a mark of the
// program. Errors: anything else; a PE off the grid.
isa::Result<PathTarget> path_target(const std::string& to, const isa::Image& image);

}  // namespace wse::vm
