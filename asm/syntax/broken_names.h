// What an error leaves: names that nobody else may miss.
#pragma once

#include "asm/syntax/syntax.h"
#include "asm/text/token_stream.h"

namespace wse::assembler {

// Those of the present statement: what it would have defined must not be reported as unknown
// later.
void poison_names(const TokenStream& tokens, Unit& unit);

}  // namespace wse::assembler
