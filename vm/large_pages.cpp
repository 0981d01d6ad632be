// Advice to the host; one that does not take it gives plain pages.
#include "vm/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace wse::vm {
namespace {

// Those that lie between two addresses as a whole.
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

}  // namespace

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
