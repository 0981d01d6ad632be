// `differential --shrink SEED [SET]`: the smallest failing program, and where it begins to fail.
#pragma once

#include <string>

#include "tests/differential/apart.h"

namespace wse::differential {

// Prints the program as text that assembles, with all that is said about it in comments. `name`:
// the words that made it. Returns the exit code: 0 if all sides agree, which it then says, else 1.
int print_shrunk(const Generated& program, const std::string& name, const Judge& judge);

}  // namespace wse::differential
