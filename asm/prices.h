// The code that each line of the sources became in a program, with its price, for listings and
// editors.
#pragma once

#include <string>
#include <vector>

#include "isa/image/image.h"
#include "isa/instruction/instruction.h"
#include "isa/machine/profile.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

struct PricedInstruction {
  std::uint32_t pc = 0;
  isa::Instruction instruction;
  isa::Cost cost{};    // StraightLine has the meaning
  bool added = false;  // by the assembler, beside what the line says
};

// Instructions of one line that follow each other; a line may have several such runs.
struct PricedLine {
  isa::SourceLine where;  // its file is one of Image::sources; line 0: none is known
  std::vector<PricedInstruction> code{};
};

// Returns the lines in the order of the code. The texts of the lines come from `files`, by the
// names of the image's sources.
std::vector<PricedLine> priced_lines(const isa::Image& image, const isa::Program& program,
                                     const isa::SourceFiles& files, const isa::Profile& profile);

// "1 slot + 4 cycles", "2/cycle +6": the price of an instruction as listings write it.
std::string price_text(const PricedInstruction& priced);

}  // namespace wse::assembler
