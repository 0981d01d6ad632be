// Copies the checkout and runs bash in the copy.
// Must never let a command hang the check: each has a time limit.
#include "tests/docs/runner.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace wse::docs {
namespace fs = std::filesystem;
namespace {

// Far more than any of them takes on a slow host beside other load.
constexpr int kTimeLimitSeconds = 1800;

std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

Runner::Runner(const fs::path& root, const fs::path& binary)
    : root_(root), binary_folder_(fs::absolute(binary).parent_path()) {
  for (const fs::path& file : test_support::project_files(root)) {
    for (fs::path at = file.parent_path(); !at.empty(); at = at.parent_path()) folders_.insert(at);
    fs::create_directories((scratch_.path() / file).parent_path());
    copy(file);
  }
}

void Runner::copy(const fs::path& file) {
  fs::copy_file(root_ / file, scratch_.path() / file, fs::copy_options::overwrite_existing);
  copied_[file] = look_at(file);
}

Runner::Copied Runner::look_at(const fs::path& file) const {
  const fs::path path = scratch_.path() / file;
  if (!fs::is_regular_file(fs::symlink_status(path))) return {};
  return {fs::file_size(path), fs::last_write_time(path)};
}

void Runner::refresh() {
  std::vector<fs::path> made;
  for (auto entry = fs::recursive_directory_iterator(scratch_.path());
       entry != fs::recursive_directory_iterator(); ++entry) {
    const fs::path path = entry->path().lexically_relative(scratch_.path());
    if (copied_.contains(path) || folders_.contains(path)) continue;
    made.push_back(entry->path());
    entry.disable_recursion_pending();
  }
  for (const fs::path& path : made) fs::remove_all(path);
  for (const auto& [file, then] : copied_) {
    if (look_at(file) != then) copy(file);
  }
}

std::string Runner::run_program(const fs::path& folder, const std::string& ending,
                                const std::string& text) const {
  const fs::path file = folder / ("snippet." + ending);
  test_support::write_text(scratch_.path() / file, text);
  const std::string name = quote(file.string());
  return run(fmt::format("output=$(wsevm run {} --expect 2>&1) || echo \"$output\"", name));
}

std::string Runner::run(const std::string& command) const {
  const std::string line = fmt::format(
      "cd {} && PATH={}:\"$PATH\" NO_COLOR=1 COLUMNS=80 LC_ALL=C.UTF-8 TZ=UTC "
      "timeout {} bash -c {} 2>&1 </dev/null",
      quote(scratch_.path()), quote(binary_folder_), kTimeLimitSeconds, quote(command));
  std::FILE* const pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return "(cannot run bash)\n";
  std::string output;
  std::array<char, 4096> block;
  while (const size_t count = std::fread(block.data(), 1, block.size(), pipe)) {
    output.append(block.data(), count);
  }
  constexpr int kTimeoutCode = 124;
  constexpr int kNotFoundCode = 127;  // of bash
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kTimeoutCode) {
    output += fmt::format("(stopped after {} seconds)\n", kTimeLimitSeconds);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFoundCode) {
    output += fmt::format("(a command does not exist; build all: cmake --build {})\n",
                          binary_folder_.string());
  }
  replace_all(output, scratch_.path().string() + "/", "");
  return output;
}

}  // namespace wse::docs
