// Whole-file reading with POSIX calls, and writing through an OutputFile.
#include "isa/support/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "isa/support/output_file.h"

namespace wse::isa {
namespace {

constexpr std::size_t kReadBlockBytes = std::size_t{1} << 20;

// Room for what a regular file says it holds, and one byte to notice its end by.
void reserve_for(int descriptor, std::uint64_t max_bytes, std::vector<std::byte>& bytes) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size <= max_bytes) bytes.reserve(size + 1);
}

// Appends everything up to the end of the file; 0 or an errno, EFBIG above `max_bytes`.
int read_all(int descriptor, std::uint64_t max_bytes, std::vector<std::byte>& bytes) {
  std::size_t used = 0;
  reserve_for(descriptor, max_bytes, bytes);
  while (used <= max_bytes) {
    bytes.resize(used < bytes.capacity() ? bytes.capacity() : used + kReadBlockBytes);
    const ssize_t count = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) {
      bytes.resize(used);
      return 0;
    }
    used += static_cast<std::size_t>(count);
  }
  return EFBIG;
}

}  // namespace

std::expected<std::vector<std::byte>, FileError> read_whole_file(const std::string& path,
                                                                 std::uint64_t max_bytes) {
  const bool from_stdin = path == "-";
  const std::string name = from_stdin ? "stdin" : path;
  const OpenFile file(from_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                      !from_stdin);
  if (!file.valid()) return file_failure(name, "open", errno);
  std::vector<std::byte> bytes;
  try {
    const int error = read_all(file.number(), max_bytes, bytes);
    if (error == 0) return bytes;
    if (error != EFBIG) return file_failure(name, "read", error);
    return std::unexpected(FileError{"cannot read '" + name + "': it holds more than " +
                                     std::to_string(max_bytes) + " bytes"});
  } catch (const std::bad_alloc&) {
    return std::unexpected(FileError{"out of memory for the content of '" + name + "'", true});
  }
}

std::expected<void, FileError> write_whole_file(const std::string& path,
                                                std::span<const std::byte> bytes) {
  auto file = OutputFile::open(path);
  if (!file) return std::unexpected(file.error());
  if (auto written = file->write(bytes); !written) return written;
  return file->commit();
}

}  // namespace wse::isa
