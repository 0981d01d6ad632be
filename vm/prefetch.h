// Asks the host for memory that will be looked at soon.
//
// Inline by force, and so must be whoever calls it for nothing else: a function that only
// prefetches has no effect, and compilers drop calls of it.
#pragma once

#include <cstddef>

namespace wse::vm {

[[gnu::always_inline]] inline void prefetch(const void* address) { __builtin_prefetch(address, 1); }

inline constexpr std::size_t kCacheLine = 64;

// Of many things that are looked at one after the other, what so many need is asked for together.
inline constexpr std::size_t kTogether = 16;

// All cache lines of it.
template <class T>
[[gnu::always_inline]] inline void prefetch_all(const T& object) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&object);
  for (std::size_t at = 0; at < sizeof(T); at += kCacheLine) prefetch(bytes + at);
}

}  // namespace wse::vm
