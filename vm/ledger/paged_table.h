// A table of objects of which few may be used, on a mesh of many PEs: they are made page by page
// when somebody asks for one.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace wse::vm {

template <class T>
class PagedTable {
 public:
  // Returns the object with that number, which stays where it is.
  T& operator[](std::size_t number) {
    const std::size_t page = number / kPage;
    if (page >= pages_.size() || pages_[page] == nullptr) [[unlikely]]
      make(page);
    return (*pages_[page])[number % kPage];
  }

  // Calls visit(object) for all that were made, by their numbers, which are those of whole pages.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (const std::unique_ptr<Page>& page : pages_) {
      if (page == nullptr) continue;
      for (T& object : *page) visit(object);
    }
  }

 private:
  static constexpr std::size_t kPage = 64;
  using Page = std::array<T, kPage>;

  [[gnu::noinline]] void make(std::size_t page) {
    if (page >= pages_.size()) pages_.resize(page + page / 2 + 1);
    pages_[page] = std::make_unique<Page>();
  }

  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace wse::vm
