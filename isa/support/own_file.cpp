// The loader knows every file by an address in it. It has no name for the executable.
#include "isa/support/own_file.h"

#include <dlfcn.h>
#include <link.h>

#include <fstream>
#include <span>
#include <vector>

#include "isa/support/hash.h"

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

std::uint64_t own_file_hash() {
  std::ifstream file(own_file().path, std::ios::binary);
  std::uint64_t hash = kHashSeed;
  std::vector<char> piece(std::size_t{1} << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    const auto read = static_cast<std::size_t>(file.gcount());
    hash = hash_bytes(std::as_bytes(std::span(piece).first(read)), hash);
  }
  return hash;
}

}  // namespace wse::isa
