// Descriptors, whole writes, errors in words.
#include "isa/support/open_file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace wse::isa {

std::unexpected<FileError> file_failure(const std::string& path, const char* action, int error) {
  const bool exhausted =
      error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO || error == ENOMEM;
  return std::unexpected(FileError{
      "cannot " + std::string(action) + " '" + path + "': " + std::system_category().message(error),
      exhausted});
}

int OpenFile::close() {
  const int number = std::exchange(number_, -1);
  if (!owned_ || number < 0) return 0;
  return ::close(number) == 0 ? 0 : errno;
}

OpenFile open_folder(int at, const std::string& name, bool follow_links) {
  const int links = follow_links ? 0 : O_NOFOLLOW;
  return {::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | links), true};
}

std::expected<void, FileError> write_to(int descriptor, const std::string& name,
                                        std::span<const std::byte> bytes) {
  const int error = write_all(descriptor, bytes);
  if (error == 0) return {};
  const bool to_stdout = descriptor == STDOUT_FILENO;
  auto why = file_failure(to_stdout ? "stdout" : name, "write", error);
  why.error().reader_gone = to_stdout && error == EPIPE;
  return why;
}

int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace wse::isa
