// A table of objects of which few may be used, on a mesh of many PEs: they are made page by page
// when somebody asks for one.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "vm/support/large_pages.h"

namespace wse::vm {

template <class T>
class PagedTable {
 public:
  // Returns the object with that number.
  T& operator[](std::size_t number) {
    const std::size_t page = number / kPage;
    if (page >= pages_.size() || pages_[page].empty()) [[unlikely]]
      make(page);
    return pages_[page][number % kPage];
  }
  // Returns the object if it is made, else null.
  T* find(std::size_t number) {
    const std::size_t page = number / kPage;
    const bool is_made = page < pages_.size() && !pages_[page].empty();
    return is_made ? &pages_[page][number % kPage] : nullptr;
  }

  // Calls visit(object) for all that are made, by their numbers: those of whole pages.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (Page& page : pages_) {
      for (T& object : page) visit(object);
    }
  }

 private:
  // As many as fill a large page of the host.
  static constexpr std::size_t kPage = std::bit_ceil((std::size_t{1} << 20) / sizeof(T));
  using Page = std::vector<T, LargePages<T>>;

  [[gnu::noinline]] void make(std::size_t page) {
    if (page >= pages_.size()) pages_.resize(page + 1);
    pages_[page] = Page(kPage);
  }

  std::vector<Page> pages_;
};

}  // namespace wse::vm
