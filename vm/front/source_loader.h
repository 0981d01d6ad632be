// Reads from the disk what the assembler includes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/support/input_list.h"
#include "isa/support/result.h"

namespace wse::front {

// Of any program file; what never ends (a device, a pipe) would otherwise fill the memory.
inline constexpr std::uint64_t kMaxProgramBytes = std::uint64_t{1} << 30;

// The text of a regular file of at most assembler::kMaxSourceBytes; nothing if there is none.
isa::Result<std::optional<std::string>> load_source(const std::string& path,
                                                    isa::InputList& inputs);

}  // namespace wse::front
