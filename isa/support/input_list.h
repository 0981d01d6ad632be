// The files that a command reads: the one place that opens inputs, and the list of what it has
// opened. Files are known by device and inode, so that links and other spellings of a name are
// seen. No output may take the place of one of them (output_file.h asks).
//
//     a file that was there and is read        an input: no output replaces it
//     a file that the command has written      its own: reading it back makes it no input
//     a file that the command reads in order   its own from then on; open_to_continue() is the
//     to write it on                           only way to say so
//
// Pipes and devices are on no list. A file that a shell opens for stdout is its own business.
// Must never forget an input while the command lasts.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/support/open_file.h"

namespace wse::isa {

struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const FileId&) const = default;
};

// A file on the list, as processes of one command tell each other.
struct KnownFile {
  FileId id;
  std::string name;  // as it was read
  bool own = false;
};

class InputList {
 public:
  InputList() = default;
  InputList(const InputList&) = delete;
  InputList& operator=(const InputList&) = delete;

  // Opens a file to read it; "-" is stdin. Not valid: errno says why.
  OpenFile open(const std::string& path);
  // The same of a name in an open folder. No link is followed, no pipe waited for.
  OpenFile open_in(const OpenFile& folder, const std::string& name, const std::string& shown);
  // The same of a file that a script will write again, with what it held: the rows of a sweep. The
  // script may have looked into it before; what the command itself has read is refused.
  std::expected<OpenFile, FileError> open_to_continue(const OpenFile& folder,
                                                      const std::string& name,
                                                      const std::string& shown);

  // A file that the command line names as an input, before it is opened: whatever fails until then
  // may write a record, and must not write it there.
  void expect(const std::string& path);

  // Whether an output may take the place of the file with this status. The error says why not.
  std::expected<void, FileError> may_replace(const struct stat& target,
                                             const std::string& shown) const;
  // The command has written a file; `before`: what it has replaced.
  void wrote(const struct stat& now, const std::optional<struct stat>& before);

  // Returns what has come to the list since the last call, to be merged into that of a process.
  std::vector<KnownFile> take_news();
  void merge(const std::vector<KnownFile>& news);

 private:
  struct Input {
    std::string name;         // as it was read
    bool of_command = false;  // not of a script
  };

  void add(int descriptor, const Input& input);
  void add(const struct stat& status, const Input& input);

  // The thread that ends an interrupted command writes its record while files are being read.
  mutable std::mutex mutex_;
  std::map<FileId, Input> inputs_;
  std::set<FileId> own_;
  std::map<FileId, KnownFile> news_;
};

}  // namespace wse::isa
