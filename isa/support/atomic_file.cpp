// Whole-file reading and atomic writing with POSIX calls: a temporary file beside the target, then
// a rename. Must never report success before close() has: some file systems tell about a full disk
// only there.
#include "isa/support/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

namespace wse::isa {
namespace {

constexpr size_t kReadBlockBytes = size_t{1} << 20;
constexpr int kMaxAttempts = 1000;  // names tried for a temporary file

std::unexpected<FileError> failure(const std::string& path, const char* action, int error) {
  const bool exhausted = error == ENOSPC || error == EDQUOT || error == ENOMEM || error == EFBIG;
  return std::unexpected(FileError{
      "cannot " + std::string(action) + " '" + path + "': " + std::system_category().message(error),
      exhausted});
}

// An open file that closes itself; close() tells whether that went well.
class Descriptor {
 public:
  Descriptor(int number, bool owned) : number_(number), owned_(owned) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  bool valid() const { return number_ >= 0; }
  int number() const { return number_; }

  // 0 or the errno of the failed close.
  int close() {
    if (!owned_ || number_ < 0) return 0;
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 ? 0 : errno;
  }

 private:
  int number_;
  bool owned_;
};

// 0 or the errno of the failed write.
int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return 0;
}

// Appends everything up to the end of the file; 0 or an errno.
int read_all(int descriptor, std::vector<std::byte>& bytes) {
  size_t used = 0;
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    bytes.reserve(static_cast<size_t>(status.st_size) + 1);
  }
  for (;;) {
    const size_t room = std::max(bytes.capacity(), used + kReadBlockBytes);
    bytes.resize(room);
    const ssize_t count = ::read(descriptor, bytes.data() + used, room - used);
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (count == 0) break;
    used += static_cast<size_t>(count);
  }
  bytes.resize(used);
  return 0;
}

std::expected<void, FileError> write_through(const std::string& path,
                                             std::span<const std::byte> bytes) {
  const bool to_stdout = path == "-";
  Descriptor file(to_stdout ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CLOEXEC),
                  !to_stdout);
  if (!file.valid()) return failure(path, "open", errno);
  if (const int error = write_all(file.number(), bytes)) return failure(path, "write", error);
  if (const int error = file.close()) return failure(path, "write", error);
  return {};
}

// Creates a file of its own beside the target and stores its name; negative with errno on failure.
int create_beside(const std::filesystem::path& target, std::string& name) {
  const std::string stem = "." + target.filename().string() + "." + std::to_string(::getpid());
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    name = (target.parent_path() / (stem + "." + std::to_string(attempt) + ".tmp")).string();
    const int number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number >= 0 || errno != EEXIST) return number;
  }
  return -1;
}

}  // namespace

std::expected<std::vector<std::byte>, FileError> read_whole_file(const std::string& path) {
  const bool from_stdin = path == "-";
  const Descriptor file(from_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                        !from_stdin);
  if (!file.valid()) return failure(path, "open", errno);
  std::vector<std::byte> bytes;
  try {
    if (const int error = read_all(file.number(), bytes)) return failure(path, "read", error);
  } catch (const std::bad_alloc&) {
    return failure(path, "read", ENOMEM);
  } catch (const std::length_error&) {
    return failure(path, "read", ENOMEM);
  }
  return bytes;
}

std::expected<void, FileError> write_whole_file(const std::string& path,
                                                std::span<const std::byte> bytes) {
  struct stat status{};
  const bool exists = path != "-" && ::stat(path.c_str(), &status) == 0;
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) return write_through(path, bytes);

  // A link stays a link: the file that it names is the one replaced.
  std::error_code ignored;
  std::filesystem::path target = path;
  if (exists) target = std::filesystem::canonical(path, ignored);
  if (ignored) return failure(path, "write", ignored.value());

  std::string temporary;
  Descriptor file(create_beside(target, temporary), true);
  if (!file.valid()) return failure(path, "write", errno);
  int error = write_all(file.number(), bytes);
  if (error == 0 && exists && ::fchmod(file.number(), status.st_mode & 07777) != 0) error = errno;
  if (const int close_error = file.close(); error == 0) error = close_error;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(temporary.c_str());
  return failure(path, "write", error);
}

}  // namespace wse::isa
