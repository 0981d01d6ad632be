// Finds the data folder by what surrounds the executable or the library, and inputs in it.
// WSE_DATA_FROM_EXECUTABLE: the way from the folder of an installed executable to its data, from
// CMake's installation folders.
#include "vm/front/data_folder.h"

#include <fmt/format.h>

#include <cstdlib>

#include "isa/support/own_file.h"

namespace wse::front {
namespace fs = std::filesystem;
namespace {

constexpr int kBuildFolderLevels = 2;  // build/, or build/PRESET/

bool is_data_folder(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "programs", error);
}

bool is_missing(const fs::path& file) {
  std::error_code error;
  return fs::status(file, error).type() == fs::file_type::not_found;
}

// Whether a path says itself that it starts at the root or at the current folder.
bool is_anchored(const fs::path& file) {
  const fs::path first = file.empty() ? fs::path() : *file.begin();
  return file.is_absolute() || first == "." || first == "..";
}

}  // namespace

fs::path data_folder_of(const fs::path& own_file, const char* chosen) {
  if (chosen != nullptr && *chosen != '\0') return chosen;
  if (own_file.empty()) return {};
  fs::path folder = own_file.parent_path();
  for (const char* const way : {WSE_DATA_FROM_EXECUTABLE, "../share/wsevm", "../../share/wsevm"}) {
    fs::path installed = (folder / way).lexically_normal();
    if (is_data_folder(installed)) return installed;
  }
  for (int level = 0; level < kBuildFolderLevels; ++level) {
    folder = folder.parent_path();
    if (is_data_folder(folder)) return folder;
  }
  return {};
}

fs::path data_folder() { return data_folder_of(isa::own_file().path, std::getenv(kDataVariable)); }

Outcome<std::string> find_input(const std::string& file, const fs::path& data) {
  if (file == "-" || file.empty() || is_anchored(file) || !is_missing(file)) return file;
  if (data.empty()) return file;
  const fs::path there = data / file;
  std::error_code error;
  if (fs::is_regular_file(there, error)) return there.string();
  return failure(fmt::format("cannot read {}: it is neither in the current folder nor in {}", file,
                             data.string()));
}

Outcome<std::string> find_input(const std::string& file) { return find_input(file, data_folder()); }

}  // namespace wse::front
