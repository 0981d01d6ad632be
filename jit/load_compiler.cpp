// Loads the module. It is never unloaded: code that it made may be in use until the end.
#include "jit/load_compiler.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "isa/support/own_module.h"
#include "jit/external_functions.h"

namespace wse::jit {
namespace fs = std::filesystem;
namespace {

constexpr isa::OwnModule kModule{"wsevm-jit.so", "WSEVM_JIT"};

std::unexpected<std::string> cannot_load(const fs::path& file, std::string_view why) {
  return isa::fail(
      fmt::format("cannot load the compiler of compiled code, {}: {}; --engine=interp "
                  "needs none and gives the same results",
                  file.string(), why));
}

}  // namespace

std::string_view llvm_version() { return WSE_LLVM_VERSION; }

std::vector<fs::path> module_files_of(const isa::OwnFile& own, const char* chosen) {
  return isa::module_files_of(kModule, own, chosen);
}

std::vector<fs::path> module_files() { return isa::module_files(kModule); }

std::vector<fs::path> module_folders() { return isa::module_folders(kModule); }

isa::Result<std::unique_ptr<Compiler>> load_compiler(const CompilerOptions& options) {
  const auto file = isa::find_module(kModule);
  if (!file) return cannot_load(file.error().file, file.error().why);
  void* const library = dlopen(file->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return cannot_load(*file, dlerror());
  const auto* const found = static_cast<const CompilerModule*>(dlsym(library, kModuleSymbol));
  if (found == nullptr) return cannot_load(*file, "it is no module of wsevm");
  if (found->layout != kLayout) return cannot_load(*file, "it is of another version of wsevm");
  std::string why;
  Compiler* const compiler = found->make(options, external_functions(), why);
  if (compiler == nullptr) return cannot_load(*file, why);
  return std::unique_ptr<Compiler>(compiler);
}

}  // namespace wse::jit
