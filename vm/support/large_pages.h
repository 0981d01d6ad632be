// Memory of large pages, where the host has them: what is visited in no order costs fewer looks
// into page tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace wse::vm {

// Asks for pages as large as the host has between two addresses: each takes one fault instead of
// hundreds. A hint, for memory that is going to be written as a whole.
void prefer_large_pages(std::byte* begin, std::byte* end);

// Gets all pages between two addresses at once, which takes less time than one by one. A hint, for
// memory that is going to be written.
void touch_pages(std::byte* begin, std::byte* end);

// Memory that is all zeros, of which only touched pages are taken: small ones where PEs that are
// idle would touch none. Where all are few, they are large in any case.
enum class PageSize : std::uint8_t { Small, Large };
struct UnmapPages {
  std::size_t bytes = 0;
  void operator()(std::byte* mapped) const;
};
class ZeroPages {
 public:
  ZeroPages() = default;
  // Throws std::bad_alloc.
  ZeroPages(std::size_t bytes, PageSize pages);

  // A page of the host begins there; nullptr for no bytes.
  std::byte* begin() const { return begin_; }

 private:
  std::unique_ptr<std::byte, UnmapPages> mapped_;
  std::byte* begin_ = nullptr;
};

// A piece of pages as large as the host has, which what is smaller than a page shares: the cores of
// a few thousand PEs are spread over more small pages than a processor knows at a time. Begins with
// a cache line. Throws std::bad_alloc.
std::byte* take_piece(std::size_t bytes);
void give_back_piece(std::byte* piece, std::size_t bytes);

// For vectors that grow with the mesh.
template <class T>
class LargePages {
 public:
  using value_type = T;

  LargePages() = default;
  template <class U>
  explicit(false) LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLeast) return static_cast<T*>(::operator new(bytes, kSmall));
    if (bytes < kWorth) return reinterpret_cast<T*>(take_piece(bytes));
    void* const memory = ::operator new(bytes, kLarge);
    prefer_large_pages(static_cast<std::byte*>(memory), static_cast<std::byte*>(memory) + bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLeast) return ::operator delete(memory, bytes, kSmall);
    if (bytes < kWorth) return give_back_piece(reinterpret_cast<std::byte*>(memory), bytes);
    ::operator delete(memory, bytes, kLarge);
  }
  bool operator==(const LargePages&) const { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static constexpr std::size_t kWorth = 2 * kPage;   // of memory below it, that is,
  static constexpr std::size_t kLeast = kPage >> 7;  // and down to here it gets a piece
  static_assert(alignof(T) <= 64);
  static constexpr std::align_val_t kSmall{alignof(T) > 16 ? alignof(T) : 16};
  static constexpr std::align_val_t kLarge{kPage};
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace wse::vm
