// Finds, loads and counts what is included. Paths are compared as text; links that go round end at
// the limit of depth.
#include "asm/text/sources.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "asm/text/library_texts.h"

namespace wse::assembler {
namespace {

namespace fs = std::filesystem;

std::string normal(const fs::path& path) { return path.lexically_normal().generic_string(); }

}  // namespace

Sources::Sources(isa::SourceFile source, const Options& options)
    : options_(options), bytes_(source.text.size()) {
  if (!options.path.empty()) by_path_[normal(options.path)] = 0;
  paths_.push_back(options.path);
  files_.push_back(std::move(source));
  for (const auto& [name, value] : options.overrides) {
    paths_.emplace_back();
    files_.push_back({"command line", name + "=" + value});
  }
  open_.push_back(0);
}

// Relative to the file that includes, then in the folders given; what comes with wsevm is last.
std::vector<std::string> Sources::candidates(std::string_view name) const {
  const fs::path path(name);
  if (path.is_absolute()) return {normal(path)};
  std::vector<std::string> found = {normal(fs::path(paths_[open_.back()]).parent_path() / path)};
  for (const std::string& folder : options_.include_folders) {
    found.push_back(normal(fs::path(folder) / path));
  }
  return found;
}

// The name as written is shown; the path, if another file is shown by that name already.
std::uint32_t Sources::add(std::string_view name, const std::string& path, std::string text) {
  const bool taken = std::ranges::find(files_, name, &isa::SourceFile::name) != files_.end();
  const auto file = static_cast<std::uint32_t>(files_.size());
  files_.push_back({taken ? path : std::string(name), std::move(text)});
  paths_.push_back(path);
  by_path_[path] = file;
  return file;
}

bool Sources::is_open(std::uint32_t file) const {
  return std::ranges::find(open_, file) != open_.end();
}

// A file never means itself where one of wsevm has its name.
std::optional<std::uint32_t> Sources::find(std::string_view name, const isa::SourceRange& where,
                                           Reporter& reporter) {
  std::string tried;
  for (const std::string& path : candidates(name)) {
    const auto known = by_path_.find(path);
    if (known != by_path_.end() && is_open(known->second) && library_text(name)) continue;
    if (known != by_path_.end()) return known->second;
    if (!options_.load) continue;
    isa::Result<std::optional<std::string>> text = options_.load(path);
    if (!text) {
      reporter.report(Problem::IncludeUnreadable, where, name, text.error());
      return std::nullopt;
    }
    if (*text) return add(name, path, std::move(**text));
    tried += fmt::format("{}'{}'", tried.empty() ? "" : ", ", path);
  }
  if (const std::optional<std::string_view> text = library_text(name)) {
    const std::string path = fmt::format("{}{}", kLibraryFolder, name);
    const auto known = by_path_.find(path);
    if (known != by_path_.end()) return known->second;
    const std::uint32_t file = add(name, path, std::string(*text));
    read_[file] = false;
    return file;
  }
  reporter.report(Problem::IncludeMissing, where, name, tried);
  return std::nullopt;
}

std::optional<std::uint32_t> Sources::open(std::string_view name, const isa::SourceRange& where,
                                           Reporter& reporter) {
  if (open_.size() > kMaxIncludeDepth) {
    reporter.report(Problem::IncludeDepth, where, kMaxIncludeDepth);
    return std::nullopt;
  }
  const std::optional<std::uint32_t> file = find(name, where, reporter);
  if (!file) return std::nullopt;
  if (is_open(*file)) {
    reporter.report(Problem::IncludeLoop, where, files_[*file].name);
    return std::nullopt;
  }
  bytes_ += files_[*file].text.size();
  if (bytes_ > kMaxSourceBytes) {
    reporter.report(Problem::SourceTooLarge, where, bytes_, kMaxSourceBytes);
    return std::nullopt;
  }
  open_.push_back(*file);
  return file;
}

bool Sources::is_repeated(std::uint32_t file) {
  const auto found = read_.find(file);
  return found != read_.end() && std::exchange(found->second, true);
}

std::optional<std::uint32_t> Sources::named(std::string_view name) const {
  const auto found = std::ranges::find(files_, name, &isa::SourceFile::name);
  if (found == files_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - files_.begin());
}

isa::SourceFiles Sources::take() {
  return {std::make_move_iterator(files_.begin()), std::make_move_iterator(files_.end())};
}

}  // namespace wse::assembler
