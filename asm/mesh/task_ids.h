// The colours that data tasks get from parameters, so that the ids chosen for local tasks go around
// them, wherever their program runs.
//
// Must never report anything: whoever builds and places the programs does.
#pragma once

#include "asm/names/globals.h"
#include "asm/syntax/syntax.h"
#include "isa/machine/profile.h"

namespace wse::assembler {

// Sets ProgramSyntax::data_colours of the programs that have more tasks with an id than there are
// ids without a colour. A colour that a `.param` decides may be any: the image can be run with
// another value.
void find_data_colours(Unit& unit, const Globals& globals, const isa::Profile& profile);

}  // namespace wse::assembler
