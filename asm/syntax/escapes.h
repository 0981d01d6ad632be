// The characters that a string in quotes means.
#pragma once

#include <string>
#include <string_view>

#include "asm/text/report.h"
#include "asm/text/token.h"

namespace wse::assembler {

// Undoes the escapes of the characters between the quotes, the first of which is at `where`;
// reports unknown ones.
std::string unescape(std::string_view raw, const isa::SourceRange& where, Reporter& reporter);

// The same of a token that is a string.
std::string string_value(const Token& token, Reporter& reporter);

}  // namespace wse::assembler
