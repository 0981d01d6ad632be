// The listing: what the assembler made of each line, for people.
//
// It reads the image, and of names only what they became, so it says what is there, not what was
// meant.
#pragma once

#include <string>

#include "asm/assembler.h"
#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

// The colours; for each program its memory, what `numbers` says of its names, and its code:
// address, words, text, slots and cycles on `profile`. Set-ups that the assembler added are marked
// with `+`.
std::string listing(const isa::Image& image, const isa::SourceFiles& files,
                    const std::vector<ChosenNumber>& numbers, const isa::Profile& profile);

// A line for each symbol: program, name, address, bytes, type, count.
std::string symbol_table(const isa::Image& image);

}  // namespace wse::assembler
