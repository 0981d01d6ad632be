// A file on its way: it is written beside its target, and takes the place of the target when it is
// whole. Until then the target stays as it was; without commit() for good.
//
//     path                           what happens
//     a file, or nothing             a temporary in the same folder, then a rename; modes are kept
//     a link                         the same with the file that it names; the link stays
//     a pipe, a device               written straight through, never replaced
//     "-", stdout or stderr by name  written to that descriptor; on a terminal control characters
//                                    become visible (visible.h)
//     a file that the command reads  refused (input_list.h)
//
// A temporary has no name before it is whole, so nothing is left of it even where a process is
// killed; on file systems that have no such files it has one from the beginning.
//
// This is the one place that opens outputs. Must never leave a temporary behind, and never touch a
// target before its bytes are complete.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "isa/support/input_list.h"
#include "isa/support/open_file.h"

namespace wse::isa {

class OutputFile {
 public:
  // Errors: a folder, a file that must not be written, a folder in which nothing can be made, an
  // input of the command. `inputs` must live longer, and learns what has been written.
  static std::expected<OutputFile, FileError> open(const std::string& path, InputList& inputs);
  // A name in an open folder, which is no link; `shown` is for messages.
  static std::expected<OutputFile, FileError> open_in(OpenFile folder, const std::string& name,
                                                      const std::string& shown, InputList& inputs);

  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile() { abandon(); }

  std::expected<void, FileError> write(std::span<const std::byte> bytes);
  std::expected<void, FileError> commit();

  // Gives the disk back what has been written so far; the target stays as it was.
  void abandon();

 private:
  OutputFile(std::string path, OpenFile file, InputList& inputs);
  static std::expected<OutputFile, FileError> make(OpenFile folder, const std::string& name,
                                                   const std::optional<struct stat>& before,
                                                   const std::string& path, InputList& inputs);

  std::string path_;  // as it was given
  OpenFile file_;
  InputList* inputs_;
  bool to_terminal_;
  OpenFile folder_;                    // of the target and of the temporary
  std::string temporary_;              // names in it; the temporary may have none yet
  std::string target_;                 // empty: written straight through
  std::optional<struct stat> before_;  // of the file that is replaced
};

// Whether the path could be written, found out without writing to it.
std::expected<void, FileError> check_output(const std::string& path, InputList& inputs);

// Adds to the end of a file in an open folder in one piece, or leaves it as it was; a file that is
// missing is made. A process that is killed in the middle may leave a part.
std::expected<void, FileError> append_in(const OpenFile& folder, const std::string& name,
                                         const std::string& shown, InputList& inputs,
                                         std::span<const std::byte> bytes);

// One text for all names of a file that would be replaced, or of stdout; empty for what may be
// written by several: pipes, devices.
std::string output_identity(const std::string& path);

// For whoever ends the process in the middle: removes all temporaries, and lets no other appear.
// Another thread that opens, commits or abandons a file from now on waits for ever.
void remove_temporaries_for_good();

}  // namespace wse::isa
