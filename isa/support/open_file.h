// Open files for the readers and writers of this folder: a descriptor that closes itself, writes
// that are whole, errors in words.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <utility>

namespace wse::isa {

// Why a file could not be read or written. `message` names the path.
// `exhausted`: memory or disk ran out (exit code 3); otherwise the request itself was wrong (exit
// code 2). `reader_gone`: it was stdout, a pipe that nobody reads any more.
struct FileError {
  std::string message;
  bool exhausted = false;
  bool reader_gone = false;
};

// "cannot ACTION 'PATH': ..." for an errno.
std::unexpected<FileError> file_failure(const std::string& path, const char* action, int error);

class OpenFile {
 public:
  OpenFile(int number, bool owned) : number_(number), owned_(owned) {}
  OpenFile(OpenFile&& other) noexcept
      : number_(std::exchange(other.number_, -1)), owned_(other.owned_) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() { close(); }

  bool valid() const { return number_ >= 0; }
  int number() const { return number_; }

  // Closes what it has, and takes over the other.
  void take(OpenFile&& other) {
    close();
    owned_ = other.owned_;
    number_ = std::exchange(other.number_, -1);
  }

  // 0 or the errno of the failed close. Some file systems tell about a full disk only here.
  int close();

 private:
  int number_;
  bool owned_;
};

// A folder, as a place from which names are looked up; `at`: another one, or AT_FDCWD. Not valid:
// errno says why.
OpenFile open_folder(int at, const std::string& name, bool follow_links);

// All bytes to an open file; `name` is for messages.
std::expected<void, FileError> write_to(int descriptor, const std::string& name,
                                        std::span<const std::byte> bytes);

// 0 or the errno of the failed write. Waits where a pipe is full, however it was opened.
int write_all(int descriptor, std::span<const std::byte> bytes);

}  // namespace wse::isa
