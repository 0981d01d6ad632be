// Looks for modules beside the executable.
#include "isa/support/own_module.h"

#include <fmt/format.h>

#include <cstdlib>

namespace wse::isa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kModuleFolder = "wsevm";  // beside the library
constexpr fs::perms kExecutable =
    fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;

std::unexpected<ModuleProblem> no_module(const fs::path& file, std::string why) {
  return std::unexpected(ModuleProblem{file, std::move(why)});
}

}  // namespace

std::vector<fs::path> module_files_of(const OwnModule& module, const OwnFile& own,
                                      const char* chosen) {
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  if (!own.path.is_absolute()) return {};
  const fs::path folder = own.path.parent_path();
  if (own.is_library) return {folder / kModuleFolder / module.file, folder / module.file};
  const fs::path installed =
      (folder / WSE_MODULES_FROM_EXECUTABLE / module.file).lexically_normal();
  if (folder.filename() == WSE_EXECUTABLE_FOLDER) return {installed, folder / module.file};
  return {folder / module.file};
}

std::vector<fs::path> module_files(const OwnModule& module) {
  return module_files_of(module, own_file(), std::getenv(module.variable));
}

std::vector<fs::path> module_folders(const OwnModule& module) {
  std::vector<fs::path> folders;
  for (const fs::path& file : module_files(module)) folders.push_back(file.parent_path());
  const OwnFile own = own_file();
  const fs::path folder = own.path.parent_path();
  if (folder.empty()) return folders;
  folders.push_back(folder);
  folders.push_back(own.is_library ? folder / kModuleFolder
                                   : (folder / WSE_MODULES_FROM_EXECUTABLE).lexically_normal());
  return folders;
}

std::expected<fs::path, ModuleProblem> find_module(const OwnModule& module) {
  const std::vector<fs::path> files = module_files(module);
  if (files.empty()) return no_module(module.file, "the system does not say where wsevm lies");
  if (!files.front().is_absolute()) {
    return no_module(files.front(), fmt::format("{} must be an absolute path", module.variable));
  }
  std::error_code error;
  for (const fs::path& file : files) {
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) continue;
    if ((status.permissions() & kExecutable) != fs::perms::none) return file;
    return no_module(file, "it has no x bit, which a build gives it; if it is yours, chmod a+x");
  }
  return no_module(files.front(), "there is no such file");
}

}  // namespace wse::isa
