// The files that a script may touch. It reads below the current folder, what the command line
// names, and some folders besides; it writes below the current folder and what `out=` names. No
// name that begins with a dot is reached below these: `.git/config` and `.bashrc` decide what other
// programs do. No symbolic link is followed below them, so nothing leads out of them, whoever makes
// links meanwhile. Where code is taken from nothing is written (code_places.h).
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "isa/support/input_list.h"
#include "scripts/host/code_places.h"

namespace wse::script {

template <class T>
using FileResult = std::expected<T, isa::FileError>;

class FileRoom {
 public:
  // Paths: that of a file grants the file, that of a folder what is below it.
  struct Grants {
    std::vector<std::string> read;
    std::vector<std::string> written;  // and read
    std::vector<CodePlace> code;       // never written, even if that is granted
  };
  FileRoom(const Grants& grants, bool unrestricted, isa::InputList& inputs);

  // Decides whether and when `write`, of the file `path`, is called, and what the script is told.
  using Gate = std::function<FileResult<void>(const std::string& path,
                                              const std::function<FileResult<void>()>& write)>;
  // All writing goes through the gate from now on; an empty one lets all writing through.
  void set_gate(Gate gate) { gate_ = std::move(gate); }

  // Whether something has that path; an error if the script must not know.
  FileResult<bool> exists(const std::string& path) const;

  // A regular file of at most `max_bytes`, whole.
  FileResult<std::string> read(const std::string& path, std::uint64_t max_bytes) const;
  // The same of text (plain_text.h).
  FileResult<std::string> read_text(const std::string& path, std::uint64_t max_bytes) const;
  // The same of text that the script writes again: it is no input from then on. It can be written,
  // and a file that is missing is made.
  FileResult<std::string> read_to_continue(const std::string& path, std::uint64_t max_bytes) const;

  // Replaces the file whole or not at all; folders on its way are made. No input is replaced.
  FileResult<void> write(const std::string& path, std::span<const std::byte> bytes) const;

  // Adds to the end of a file in one piece, or leaves it as it was; a file that is missing is made,
  // folders on its way too. A process that is killed in the middle may leave a part.
  FileResult<void> append(const std::string& path, std::span<const std::byte> bytes) const;

 private:
  struct Place {
    std::filesystem::path folder;  // where the walk begins
    std::filesystem::path below;   // the rest: plain names only
  };
  FileResult<void> write_here(const std::string& path, std::span<const std::byte> bytes) const;
  FileResult<void> append_here(const std::string& path, std::span<const std::byte> bytes) const;
  FileResult<Place> place_of(const std::string& path, bool to_write) const;
  // Opens the folder of a file that is to be written, and makes it if it is missing. Errors: code
  // is taken from there.
  FileResult<isa::OpenFile> folder_to_write(const Place& place, const std::string& path) const;

  isa::InputList& inputs_;
  // Absolute, without "." and "..".
  std::vector<std::filesystem::path> written_;  // what may be written, and read
  std::vector<std::filesystem::path> read_;     // what may be read besides
  CodePlaces code_;
  bool unrestricted_;
  Gate gate_;
};

// Reads the text `below` (plain names) in `folder`: of modules.
FileResult<std::string> read_text_below(const std::filesystem::path& folder,
                                        const std::filesystem::path& below, std::uint64_t max_bytes,
                                        isa::InputList& inputs);

}  // namespace wse::script
