// Names that an error leaves undefined, so that no other statement reports them.
#pragma once

#include "asm/syntax/syntax.h"
#include "asm/text/token_stream.h"

namespace wse::assembler {

// Adds those of the present statement: what it would have defined must not be reported as unknown
// later.
void poison_names(const TokenStream& tokens, Unit& unit);

}  // namespace wse::assembler
