// A table of objects that are all zeros at first, of which only what is used takes memory: pages of
// PEs that are idle are never touched.
//
// The table constructs and destroys nothing, so bytes that are 0 must be an object that nobody uses
// yet.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "vm/support/large_pages.h"

namespace wse::vm {

template <class T>
class UntouchedTable {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  UntouchedTable() = default;
  // Throws std::bad_alloc.
  UntouchedTable(std::size_t count, PageSize pages)
      : zeros_(count * sizeof(T), pages), size_(count) {}

  T* data() { return reinterpret_cast<T*>(zeros_.begin()); }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& operator[](std::size_t index) const {
    return reinterpret_cast<const T*>(zeros_.begin())[index];
  }
  std::size_t size() const { return size_; }

 private:
  ZeroPages zeros_;
  std::size_t size_ = 0;
};

}  // namespace wse::vm
