// The loader knows every file by an address in it. It has no name for the executable.
#include "isa/support/own_file.h"

#include <dlfcn.h>
#include <link.h>

namespace wse::isa {
namespace fs = std::filesystem;
namespace {

const char kHere = 0;

// Returns the name of the library that holds this code; an empty one in an executable.
std::string_view library_name() {
  Dl_info info{};
  void* found = nullptr;
  if (::dladdr1(&kHere, &info, &found, RTLD_DL_LINKMAP) == 0 || found == nullptr) return {};
  const char* const name = static_cast<const link_map*>(found)->l_name;
  return name == nullptr ? "" : name;
}

}  // namespace

OwnFile own_file() {
  std::error_code error;
  const std::string_view name = library_name();
  fs::path path =
      name.empty() ? fs::read_symlink("/proc/self/exe", error) : fs::canonical(name, error);
  return {error ? fs::path() : std::move(path), !name.empty()};
}

}  // namespace wse::isa
