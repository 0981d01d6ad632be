// The one thing that the programs of a grid must agree on for launches: a name of an exported task
// has the same arguments in all of them.
#pragma once

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "isa/image/image.h"

namespace wse::assembler {

// Reports each exported task whose arguments differ from those of an earlier program. The programs
// of the image are those of the unit, in its order.
void check_launches(const isa::Image& image, const Unit& unit, Reporter& reporter);

}  // namespace wse::assembler
