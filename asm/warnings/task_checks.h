// Warns of tasks that can never run, and of programs that no PE runs.
//
// A task can never run if main blocks it on its only way and nothing of the program unblocks it, or
// if it is a control task where nothing unblocks a colour. Must say nothing where an id is known
// only in a run.
#pragma once

#include <vector>

#include "asm/mesh/placing.h"
#include "asm/text/report.h"
#include "isa/image/image.h"

namespace wse::assembler {

// Checks a program of an image without errors; `syntax` is that of the program.
void check_tasks(const isa::Program& program, const ProgramSyntax& syntax, Reporter& reporter);

// A file that others include may hold more programs than each of them places.
void check_placed(const std::vector<const ProgramSyntax*>& syntax,
                  const std::vector<PlacedProgram>& placements, Reporter& reporter);

}  // namespace wse::assembler
