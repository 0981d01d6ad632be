// Files for tests and for the checks of the checkout: the list of project files, text files,
// scratch folders. What git ignores at the top (build/, out/) and dot-entries are no project files.
// Must never write outside the paths it is given.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wse::test_support {

// Every regular file of the checkout, relative to root, sorted.
std::vector<std::filesystem::path> project_files(const std::filesystem::path& root);

// Names at the top of root that are neither dot-entries nor ignored, sorted.
std::vector<std::string> top_level_names(const std::filesystem::path& root);

// Whether an entry at the top of the checkout is no part of the project.
bool is_ignored_at_top(std::string_view name);

// The whole file; empty if it cannot be read.
std::string read_text(const std::filesystem::path& path);

// Writes the file and makes its folders; ends the program if that fails.
void write_text(const std::filesystem::path& path, std::string_view text);

// Lines without their ends; a last line without '\n' counts.
std::vector<std::string> split_lines(std::string_view text);

// A folder that lives as long as the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace wse::test_support
