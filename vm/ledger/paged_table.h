// A table of objects of which few may be used, on a mesh of many PEs: they are made page by page
// when somebody asks for one. It knows which ones may have changed since somebody looked at these.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/support/large_pages.h"
#include "vm/support/prefetch.h"

namespace wse::vm {

template <class T>
class PagedTable {
 public:
  // There will be about so many objects.
  explicit PagedTable(std::size_t count)
      : bits_(std::clamp(static_cast<int>(std::bit_width(count)), kFewestBits, kMostBits)) {}

  // Returns the object with that number, which is going to change.
  T& operator[](std::size_t number) {
    Page& page = page_of(number);
    const std::size_t place = place_of(number);
    page.touched[place / 64] |= std::uint64_t{1} << place % 64;
    return page.objects[place];
  }
  // Returns the object if it is made, else null. It stays as it is.
  const T* find(std::size_t number) const {
    const std::size_t page = number >> bits_;
    const bool is_made = page < pages_.size() && !pages_[page].objects.empty();
    return is_made ? &pages_[page].objects[place_of(number)] : nullptr;
  }
  // Asks the host for the object with that number, if it is made.
  [[gnu::always_inline]] void prefetch(std::size_t number) const {
    if (const T* const object = find(number)) prefetch_all(*object);
  }

  // Calls visit(object) for all that are made, by their numbers: those of whole pages.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (Page& page : pages_) {
      for (T& object : page.objects) visit(object);
    }
  }
  // Calls visit(object) for those that may have changed since forget_changes(), by their numbers.
  template <class Visit>
  void for_each_changed(const Visit& visit) {
    for (Page& page : pages_) {
      for (std::size_t word = 0; word < page.touched.size(); ++word) {
        for (std::uint64_t rest = page.touched[word]; rest != 0; rest &= rest - 1) {
          visit(page.objects[64 * word + static_cast<std::size_t>(std::countr_zero(rest))]);
        }
      }
    }
  }
  void forget_changes() {
    for (Page& page : pages_) std::ranges::fill(page.touched, 0);
  }

 private:
  // Bits of the number of an object within its page. Pages of many objects fill two large pages of
  // the host: less memory would not lie in large pages.
  static constexpr int kFewestBits = 6;
  static constexpr int kMostBits =
      static_cast<int>(std::bit_width((std::size_t{4} << 20) / sizeof(T) - 1));
  static_assert(kMostBits > kFewestBits);
  struct Page {
    LargeVector<T> objects{};
    std::vector<std::uint64_t> touched{};  // a bit for each
  };

  std::size_t place_of(std::size_t number) const {
    return number & ((std::size_t{1} << bits_) - 1);
  }
  Page& page_of(std::size_t number) {
    const std::size_t page = number >> bits_;
    if (page >= pages_.size() || pages_[page].objects.empty()) [[unlikely]]
      make(page);
    return pages_[page];
  }
  [[gnu::noinline]] void make(std::size_t page) {
    if (page >= pages_.size()) pages_.resize(page + 1);
    pages_[page].objects = LargeVector<T>(std::size_t{1} << bits_);
    pages_[page].touched.resize(pages_[page].objects.size() / 64);
  }

  int bits_;
  std::vector<Page> pages_;
};

}  // namespace wse::vm
