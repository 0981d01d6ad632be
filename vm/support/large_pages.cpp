// Advice to the host; one that does not take it gives plain pages.
#include "vm/support/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <mutex>

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

// Gives pieces one behind the other. A sheet goes when all its pieces have come back; the last one
// is used again.
class Sheets {
 public:
  std::byte* take(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (sheets_.empty() || kSheet - sheets_.back().used < bytes) {
      auto* const begin = static_cast<std::byte*>(::operator new(kSheet, kAlignment));
      prefer_large_pages(begin, begin + kSheet);
      sheets_.push_back({begin, 0, 0});
    }
    Sheet& last = sheets_.back();
    std::byte* const piece = last.begin + last.used;
    last.used += bytes;
    last.given += bytes;
    return piece;
  }

  void give_back(std::byte* piece, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto sheet = std::ranges::find_if(sheets_, [piece](const Sheet& one) {
      return std::less_equal()(one.begin, piece) && std::less()(piece, one.begin + kSheet);
    });
    sheet->given -= bytes;
    if (sheet->given > 0) return;
    sheet->used = 0;
    if (sheet + 1 == sheets_.end()) return;
    ::operator delete(sheet->begin, kSheet, kAlignment);
    sheets_.erase(sheet);
  }

 private:
  static constexpr std::size_t kSheet = 4 * kLargePage;
  static constexpr std::align_val_t kAlignment{kLargePage};

  struct Sheet {
    std::byte* begin = nullptr;
    std::size_t used = 0;   // bytes from its begin on
    std::size_t given = 0;  // bytes of pieces that have not come back
  };

  std::mutex mutex_;
  std::vector<Sheet> sheets_;
};

Sheets& sheets() {
  static Sheets* const kSheets = new Sheets;  // vectors of other statics may outlive one
  return *kSheets;
}

constexpr std::size_t whole_lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// Where a build looks for reads outside of memory, each piece is alone.
#ifdef WSE_CHECKED
constexpr bool kAlone = true;
#else
constexpr bool kAlone = false;
#endif
constexpr std::align_val_t kLine{64};

}  // namespace

ZeroPages::ZeroPages(std::size_t bytes, PageSize pages) {
  if (bytes == 0) return;
  const bool few = bytes >= kLargePage / 4 && bytes < 4 * kLargePage;
  const bool large = few || (pages == PageSize::Large && bytes >= kLargePage);
  const std::size_t whole = large ? (bytes + kLargePage - 1) / kLargePage * kLargePage : bytes;
  const std::size_t all = whole + (large ? kLargePage : 0);
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const mapped = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<std::byte*>(mapped);
  mapped_ = std::unique_ptr<std::byte, UnmapPages>(begin_, UnmapPages{all});
  if (!large) return;
  begin_ += (kLargePage - reinterpret_cast<std::uintptr_t>(begin_) % kLargePage) % kLargePage;
  prefer_large_pages(begin_, begin_ + whole);
}

void UnmapPages::operator()(std::byte* mapped) const { ::munmap(mapped, bytes); }

std::byte* take_piece(std::size_t bytes) {
  if (kAlone) return static_cast<std::byte*>(::operator new(bytes, kLine));
  return sheets().take(whole_lines(bytes));
}

void give_back_piece(std::byte* piece, std::size_t bytes) {
  if (kAlone) return ::operator delete(piece, bytes, kLine);
  sheets().give_back(piece, whole_lines(bytes));
}

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
