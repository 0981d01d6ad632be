// Whole files: read one into memory, or replace one so that a reader sees the old or the new, never
// half. The path "-" means stdin or stdout. What is no regular file (a pipe, a device) is written
// straight through. Must never leave its temporary file behind, and must never touch the target
// before the bytes are complete.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace wse::isa {

// Why a file could not be read or written. `message` names the path.
// `exhausted`: memory or disk ran out (exit code 3); otherwise the request itself was wrong (exit
// code 2).
struct FileError {
  std::string message;
  bool exhausted = false;
};

std::expected<std::vector<std::byte>, FileError> read_whole_file(const std::string& path);

std::expected<void, FileError> write_whole_file(const std::string& path,
                                                std::span<const std::byte> bytes);

}  // namespace wse::isa
