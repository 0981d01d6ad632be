// Reads with pread, which needs no place in the file.
#include "vm/front/offset_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace wse::front {

OffsetFile::OffsetFile(std::string path, isa::InputList& inputs)
    : path_(std::move(path)), file_(inputs.open(path_)), error_(file_.valid() ? 0 : errno) {}

Outcome<std::optional<std::uint64_t>> OffsetFile::size() const {
  struct stat status{};
  if (error_ != 0) return failure(isa::file_failure(path_, "open", error_).error());
  if (::fstat(file_.number(), &status) != 0) return cannot_read(errno);
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

Outcome<void> OffsetFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pread(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return cannot_read(count < 0 ? errno : EIO);  // it has become shorter
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

std::unexpected<Failure> OffsetFile::cannot_read(int error) const {
  return failure(isa::file_failure(path_, "read", error).error());
}

}  // namespace wse::front
