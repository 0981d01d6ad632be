// Reads files with POSIX calls, and writes them through an OutputFile.
#include "isa/support/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "isa/support/output_file.h"
#include "isa/support/plain_text.h"

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
                                                                 InputList& inputs,
                                                                 std::uint64_t max_bytes) {
  const std::string name = path == "-" ? "stdin" : path;
  const OpenFile file = inputs.open(path);
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

std::expected<std::string, FileError> read_text_file(const std::string& path, InputList& inputs,
                                                     std::uint64_t max_bytes) {
  const auto bytes = read_whole_file(path, inputs, max_bytes);
  if (!bytes) return std::unexpected(bytes.error());
  try {
    auto text = plain_text({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (text) return std::move(*text);
    return std::unexpected(FileError{"cannot read '" + path + "': " + text.error()});
  } catch (const std::bad_alloc&) {
    return std::unexpected(FileError{"out of memory for the content of '" + path + "'", true});
  }
}

std::expected<void, FileError> write_whole_file(const std::string& path, InputList& inputs,
                                                std::span<const std::byte> bytes) {
  auto file = OutputFile::open(path, inputs);
  if (!file) return std::unexpected(file.error());
  if (auto written = file->write(bytes); !written) return written;
  return file->commit();
}

}  // namespace wse::isa
