// Reads a whole file into memory, or replaces one so that a reader sees the old or the new, never
// half (output_file.h says how). The path "-" means stdin or stdout.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/support/input_list.h"
#include "isa/support/open_file.h"

namespace wse::isa {

inline constexpr std::uint64_t kAnyBytes = ~std::uint64_t{0};

// Errors: it cannot be read, or holds more than `max_bytes`; a pipe or device is read no further.
std::expected<std::vector<std::byte>, FileError> read_whole_file(
    const std::string& path, InputList& inputs, std::uint64_t max_bytes = kAnyBytes);
// The same of text; its encoding too may be wrong (plain_text.h).
std::expected<std::string, FileError> read_text_file(const std::string& path, InputList& inputs,
                                                     std::uint64_t max_bytes = kAnyBytes);

// Errors: it cannot be written, or is an input.
std::expected<void, FileError> write_whole_file(const std::string& path, InputList& inputs,
                                                std::span<const std::byte> bytes);

}  // namespace wse::isa
