// Loads the module. It is never unloaded: code that it made may be in use until the end.
#include "jit/load_compiler.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "isa/support/own_file.h"
#include "jit/external_functions.h"

namespace wse::jit {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFile = "wsevm-jit.so";
constexpr const char* kModuleFolder = "wsevm";  // beside the library
constexpr const char* kVariable = "WSEVM_JIT";
constexpr fs::perms kExecutable =
    fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;

std::unexpected<std::string> cannot_load(const fs::path& file, std::string_view why) {
  return isa::fail(
      fmt::format("cannot load the compiler of compiled code, {}: {}; --engine=interp "
                  "needs none and gives the same results",
                  file.string(), why));
}

// Finds the first file that exists and may be loaded.
isa::Result<fs::path> find_module() {
  const std::vector<fs::path> files = module_files();
  if (files.empty()) return cannot_load(kFile, "the system does not say where wsevm lies");
  if (!files.front().is_absolute()) {
    return cannot_load(files.front(), fmt::format("{} must be an absolute path", kVariable));
  }
  std::error_code error;
  for (const fs::path& file : files) {
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) continue;
    if ((status.permissions() & kExecutable) != fs::perms::none) return file;
    return cannot_load(file, "it has no x bit, which a build gives it; if it is yours, chmod a+x");
  }
  return cannot_load(files.front(), "there is no such file");
}

}  // namespace

std::string_view llvm_version() { return WSE_LLVM_VERSION; }

std::vector<fs::path> module_files_of(const isa::OwnFile& own, const char* chosen) {
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  if (!own.path.is_absolute()) return {};
  const fs::path folder = own.path.parent_path();
  if (own.is_library) return {folder / kModuleFolder / kFile, folder / kFile};
  const fs::path installed = (folder / WSE_MODULES_FROM_EXECUTABLE / kFile).lexically_normal();
  if (folder.filename() == WSE_EXECUTABLE_FOLDER) return {installed, folder / kFile};
  return {folder / kFile};
}

std::vector<fs::path> module_files() {
  return module_files_of(isa::own_file(), std::getenv(kVariable));
}

std::vector<fs::path> module_folders() {
  std::vector<fs::path> folders;
  for (const fs::path& file : module_files()) folders.push_back(file.parent_path());
  const isa::OwnFile own = isa::own_file();
  const fs::path folder = own.path.parent_path();
  if (folder.empty()) return folders;
  folders.push_back(folder);
  folders.push_back(own.is_library ? folder / kModuleFolder
                                   : (folder / WSE_MODULES_FROM_EXECUTABLE).lexically_normal());
  return folders;
}

isa::Result<std::unique_ptr<Compiler>> load_compiler(const CompilerOptions& options) {
  const isa::Result<fs::path> file = find_module();
  if (!file) return std::unexpected(file.error());
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
