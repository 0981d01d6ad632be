// Advice to the host; one that does not take it gives plain pages.
#include "vm/support/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace wse::vm {
namespace {

// Returns the pages that lie between two addresses as a whole.
struct WholePages {
  WholePages(std::byte* from, std::byte* to) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto first = (reinterpret_cast<std::uintptr_t>(from) + page - 1) / page * page;
    const auto last = reinterpret_cast<std::uintptr_t>(to) / page * page;
    begin = reinterpret_cast<void*>(first);
    bytes = last > first ? last - first : 0;
  }

  void* begin;
  std::size_t bytes;
};

// From twice as much on, memory is for large pages; it begins with one.
constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

ZeroPages::ZeroPages(std::size_t bytes, PageSize pages) {
  if (bytes == 0) return;
  const bool large = pages == PageSize::Large && bytes >= 2 * kLargePage;
  const std::size_t all = bytes + (large ? kLargePage : 0);
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const mapped = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<std::byte*>(mapped);
  mapped_ = std::unique_ptr<std::byte, UnmapPages>(begin_, UnmapPages{all});
  if (!large) return;
  begin_ += (kLargePage - reinterpret_cast<std::uintptr_t>(begin_) % kLargePage) % kLargePage;
  prefer_large_pages(begin_, begin_ + bytes);
}

void UnmapPages::operator()(std::byte* mapped) const { ::munmap(mapped, bytes); }

void prefer_large_pages(std::byte* begin, std::byte* end) {
#ifdef MADV_HUGEPAGE
  const WholePages pages(begin, end);
  ::madvise(pages.begin, pages.bytes, MADV_HUGEPAGE);
#else
  static_cast<void>(begin);
  static_cast<void>(end);
#endif
}

void touch_pages(std::byte* begin, std::byte* end) {
#ifdef MADV_POPULATE_WRITE
  const WholePages pages(begin, end);
  ::madvise(pages.begin, pages.bytes, MADV_POPULATE_WRITE);
#else
  static_cast<void>(begin);
  static_cast<void>(end);
#endif
}

}  // namespace wse::vm
