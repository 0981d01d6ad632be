// The listing: what the assembler made of each line, for people.
//
// It reads the image only, so it says what is there, not what was meant.
#pragma once

#include <string>

#include "isa/image.h"
#include "isa/profile.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

// For each program its memory, then its code: address, words, text, slots and cycles on `profile`.
// Set-ups that the assembler added are marked with `+`.
std::string listing(const isa::Image& image, const isa::SourceFiles& files,
                    const isa::Profile& profile);

}  // namespace wse::assembler
