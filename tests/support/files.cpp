// Walks the checkout and reads and writes small text files.
// Must never follow a symbolic link out of the folder that it walks.
#include "tests/support/files.h"

#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace wse::test_support {
namespace fs = std::filesystem;

bool is_ignored_at_top(std::string_view name) {
  return name.starts_with('.') || name == "build" || name == "out";
}

std::vector<fs::path> project_files(const fs::path& root) {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    const bool skip = entry.depth() == 0 ? is_ignored_at_top(name) : name.starts_with('.');
    if (skip || name == "__pycache__" || name.ends_with(".tmp")) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back(entry->path().lexically_relative(root));
    }
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> top_level_names(const fs::path& root) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root)) {
    std::string name = entry.path().filename().string();
    if (!is_ignored_at_top(name)) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_text(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    std::perror(path.c_str());
    std::abort();
  }
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "wsevm-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::perror(name.c_str());
    std::abort();
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace wse::test_support
