// The file from which this code was loaded: the executable, or the shared library that holds it.
#pragma once

#include <filesystem>

namespace wse::isa {

struct OwnFile {
  std::filesystem::path path;  // absolute, without links; empty if the system does not say
  bool is_library = false;
};

OwnFile own_file();

}  // namespace wse::isa
