// Where in the text an instruction of the image is, for messages.
#pragma once

#include "asm/syntax/syntax.h"
#include "isa/image/image.h"

namespace wse::assembler {

// The first instruction of that mnemonic in the line; else the first one, to which the assembler
// added it; else the name of the program.
isa::SourceRange place_of(const ProgramSyntax& syntax, const isa::SourceLine& line,
                          std::string_view mnemonic);

// The same of the instruction at code word `pc` of the program.
isa::SourceRange place_of(const ProgramSyntax& syntax, const isa::Program& program,
                          std::uint32_t pc);

// The header of that task, else the name of the program.
isa::SourceRange place_of(const ProgramSyntax& syntax, const isa::Task& task);

}  // namespace wse::assembler
