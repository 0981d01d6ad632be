// A file on its way: it is written under another name beside its target, and takes the place of the
// target when it is whole. Until then the target stays as it was; without commit() for good.
//
//     path                           what happens
//     a file, or nothing             a temporary in the same folder, then a rename; modes are kept
//     a link                         the same with the file that it names; the link stays
//     a pipe, a device               written straight through, never replaced
//     "-", stdout or stderr by name  written to that descriptor
//
// Must never leave a temporary behind, and never touch a target before its bytes are complete.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "isa/support/open_file.h"

namespace wse::isa {

class OutputFile {
 public:
  // Errors: a folder, a file that must not be written, a folder in which nothing can be made.
  static std::expected<OutputFile, FileError> open(const std::string& path);

  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile() { abandon(); }

  std::expected<void, FileError> write(std::span<const std::byte> bytes);
  std::expected<void, FileError> commit();

  // Gives the disk back what has been written so far; the target stays as it was.
  void abandon();

 private:
  OutputFile(std::string path, OpenFile file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;  // as it was given
  OpenFile file_;
  std::string temporary_;  // empty: written straight through
  std::filesystem::path target_;
  std::optional<mode_t> mode_;  // of the file that is replaced
};

// Whether the path could be written, found out without writing to it.
std::expected<void, FileError> check_output(const std::string& path);

// One text for all names of a file that would be replaced, or of stdout; empty for what may be
// written by several: pipes, devices.
std::string output_identity(const std::string& path);

// For whoever ends the process in the middle: removes all temporaries, and lets no other appear.
// Another thread that opens, commits or abandons a file from now on waits for ever.
void remove_temporaries_for_good();

}  // namespace wse::isa
