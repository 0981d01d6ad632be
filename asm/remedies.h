// Tries the changes that diagnostics may offer, so that none is offered that does not help.
//
// Must never change what is assembled: a trial is an assembly of its own, of a changed text.
#pragma once

#include "asm/assembler.h"

namespace wse::assembler {

// assemble() without trials.
Output assemble_as_written(isa::SourceFile source, const Options& options);

// The text with the change in it. The place lies in the text.
std::string with_edit(std::string_view text, const Edit& edit);

// Keeps of the remedies on trial those after which the program has no error and fewer warnings, one
// for each diagnostic, and gives it their help; drops the others. The number of trials is bounded.
void choose_remedies(Output& output, const Options& options);

}  // namespace wse::assembler
