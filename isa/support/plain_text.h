// The text of a file, as every reader of text takes it: sources, scripts, modules, machine files,
// tables. Must never change a byte after the mark.
#pragma once

#include <string>

#include "isa/support/result.h"

namespace wse::isa {

// Without the byte-order mark of UTF-8, if it begins with one. A mark of UTF-16 or UTF-32 is
// refused, in words to be put after the name of the file.
Result<std::string> plain_text(std::string bytes);

}  // namespace wse::isa
