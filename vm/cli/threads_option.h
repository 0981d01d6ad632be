// How many threads --threads=N takes on this host.
#pragma once

#include "vm/cli/commands.h"

namespace wse::cli {

// Lowers the number of threads to the processors of the host, and says so on stderr, unless
// --oversubscribe asks for more threads than processors.
void bound_threads(ProgramSource& source);

}  // namespace wse::cli
