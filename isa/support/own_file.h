// The file from which this code was loaded: the executable, or the shared library that holds it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace wse::isa {

struct OwnFile {
  std::filesystem::path path;  // absolute, without links; empty if the system does not say
  bool is_library = false;
};

OwnFile own_file();

// Returns the hash (hash.h) of that file's bytes, as far as it can be read: processes of one
// program have the same.
std::uint64_t own_file_hash();

}  // namespace wse::isa
