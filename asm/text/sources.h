// The texts of an assembly: the source, the values of the command line, and the files that
// .include brings.
//
// It reads no file itself: Options::load does. Work is bounded by the depth of includes and by the
// bytes of all of them, however often a file is included.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/text/options.h"
#include "asm/text/report.h"

namespace wse::assembler {

class Sources {
 public:
  Sources(isa::SourceFile source, const Options& options);

  // Opens the file that `.include "name"` at `where` means, inside the file opened last. Returns
  // nothing after an error, which is reported.
  std::optional<std::uint32_t> open(std::string_view name, const isa::SourceRange& where,
                                    Reporter& reporter);
  void close() { open_.pop_back(); }
  // Once for each file that comes with wsevm: several files may include it.
  bool is_repeated(std::uint32_t file);

  // Whether it comes with wsevm.
  bool is_library(std::uint32_t file) const { return read_.contains(file); }

  // Texts stay where they are; 0 is the source, 1 .. overrides() the command line.
  const isa::SourceFile& operator[](std::uint32_t file) const { return files_[file]; }
  std::uint32_t overrides() const { return static_cast<std::uint32_t>(options_.overrides.size()); }

  // Returns the number of the text that messages call so.
  std::optional<std::uint32_t> named(std::string_view name) const;

  // The paths of all texts, as Options::load knows them; empty where a text has none.
  const std::vector<std::string>& paths() const { return paths_; }

  // All texts, at the end: what diagnostics point into.
  isa::SourceFiles take();

 private:
  bool is_open(std::uint32_t file) const;
  std::vector<std::string> candidates(std::string_view name) const;
  std::optional<std::uint32_t> find(std::string_view name, const isa::SourceRange& where,
                                    Reporter& reporter);
  std::uint32_t add(std::string_view name, const std::string& path, std::string text);

  const Options& options_;
  std::deque<isa::SourceFile> files_;
  std::vector<std::string> paths_;  // of files_, as Options::load knows them
  std::unordered_map<std::string, std::uint32_t> by_path_;
  std::vector<std::uint32_t> open_;               // the innermost is last
  std::size_t bytes_ = 0;                         // opened so far
  std::unordered_map<std::uint32_t, bool> read_;  // files that come with wsevm: whether they were
};

}  // namespace wse::assembler
