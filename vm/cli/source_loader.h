// What the assembler includes, from the disk.
#pragma once

#include <optional>
#include <string>

#include "isa/support/result.h"

namespace wse::cli {

// The text of a regular file of at most assembler::kMaxSourceBytes; nothing if there is none.
isa::Result<std::optional<std::string>> load_source(const std::string& path);

}  // namespace wse::cli
