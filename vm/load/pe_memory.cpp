// Mappings of the host; a host that lacks one of the calls gets plain memory.
#include "vm/load/pe_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace wse::vm {
namespace {

constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::byte* mapped(void* at, std::size_t bytes, int flags, int file) {
  void* memory = ::mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

// A file without a name, which goes when nothing maps it any more.
class MemoryFile {
 public:
  explicit MemoryFile(std::size_t bytes) : file_(::memfd_create("PE data", MFD_CLOEXEC)) {
    // Room is taken here, where its lack is an error and not a signal.
    if (file_ >= 0 && ::posix_fallocate(file_, 0, static_cast<off_t>(bytes)) == 0) return;
    close();
  }
  ~MemoryFile() { close(); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int get() const { return file_; }  // -1: there is none

 private:
  void close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }

  int file_;
};

}  // namespace

void Unmap::operator()(std::byte* memory) const { ::munmap(memory, bytes); }

std::optional<PeMemory> PeMemory::map(std::size_t bytes) {
  std::byte* const memory = mapped(nullptr, bytes, kAnonymous, -1);
  if (memory == nullptr) return std::nullopt;
  PeMemory made;
  made.memory_ = std::unique_ptr<std::byte, Unmap>(memory, Unmap{bytes});
  return made;
}

std::size_t PeMemory::page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

isa::Attempt<std::size_t> PeMemory::repeat(std::size_t begin, std::size_t bytes,
                                           std::size_t unit_bytes,
                                           const std::function<void(std::byte* unit)>& fill) {
  const MemoryFile file(unit_bytes);
  if (file.get() < 0) return 0;
  std::byte* const unit = mapped(nullptr, unit_bytes, MAP_SHARED, file.get());
  if (unit == nullptr) return 0;
  fill(unit);
  ::munmap(unit, unit_bytes);
  for (std::size_t done = 0; done < bytes; done += unit_bytes) {
    std::byte* const at = data() + begin + done;
    const std::size_t length = std::min(unit_bytes, bytes - done);
    constexpr int kShared = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    if (mapped(at, length, kShared, file.get()) != nullptr) continue;
    // The host allows no more mappings; what was there may be gone.
    if (mapped(at, length, kAnonymous | MAP_FIXED, -1) != nullptr) return done;
    return isa::out_of_memory(": the host gives no more mappings for the data of the PEs");
  }
  return bytes;
}

}  // namespace wse::vm
