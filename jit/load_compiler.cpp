// Loads the module. It is never unloaded: code that it made may be in use until the end.
#include "jit/load_compiler.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace wse::jit {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFile = "wsevm-jit.so";
constexpr const char* kVariable = "WSEVM_JIT";
constexpr int kBuildFolderLevels = 3;  // build/tests/ROOM/

fs::path module_file() {
  const char* const chosen = std::getenv(kVariable);
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  fs::path installed = (folder / WSE_MODULES_FROM_EXECUTABLE / kFile).lexically_normal();
  if (fs::exists(installed, error)) return installed;
  for (int level = 0; level < kBuildFolderLevels; ++level, folder = folder.parent_path()) {
    if (fs::exists(folder / kFile, error)) return folder / kFile;
  }
  return installed;
}

std::unexpected<std::string> cannot_load(const fs::path& file, std::string_view why) {
  return isa::fail(
      fmt::format("cannot load the compiler of compiled code, {}: {}; --engine=interp "
                  "needs none and gives the same results",
                  file.string(), why));
}

}  // namespace

std::string_view llvm_version() { return WSE_LLVM_VERSION; }

isa::Result<std::unique_ptr<Compiler>> load_compiler(const CompilerOptions& options) {
  const fs::path file = module_file();
  std::error_code error;
  if (!fs::exists(file, error)) return cannot_load(file, "there is no such file");
  void* const library = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return cannot_load(file, dlerror());
  const auto* const found = static_cast<const CompilerModule*>(dlsym(library, kModuleSymbol));
  if (found == nullptr) return cannot_load(file, "it is no module of wsevm");
  if (found->layout != kLayout) return cannot_load(file, "it is of another version of wsevm");
  std::string why;
  Compiler* const compiler = found->make(options, why);
  if (compiler == nullptr) return cannot_load(file, why);
  return std::unique_ptr<Compiler>(compiler);
}

}  // namespace wse::jit
