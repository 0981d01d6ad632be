// One program from its syntax to its part of the image.
#pragma once

#include "asm/code/emitter.h"
#include "asm/program/program_context.h"
#include "asm/text/options.h"

namespace wse::assembler {

// The names of marks are shared by all programs.
struct MarkTable {
  NameTable names;
  std::vector<std::string> marks;
};

// Adds what its names became to `numbers`, and instructions with too many inputs to `inputs`.
isa::Program build_program(const Unit& unit, const ProgramSyntax& syntax, const Globals& globals,
                           const isa::Profile& profile, MarkTable& marks,
                           std::vector<ChosenNumber>& numbers, std::vector<FabricInputs>& inputs,
                           Reporter& reporter);

}  // namespace wse::assembler
