// Asks the host for memory that will be looked at soon.
//
// Inline by force, and so must be whoever calls it for nothing else: a function that only
// prefetches has no effect, and compilers drop calls of it.
#pragma once

#include <cstddef>
#include <span>

namespace wse::vm {

[[gnu::always_inline]] inline void prefetch(const void* address) { __builtin_prefetch(address, 1); }

inline constexpr std::size_t kCacheLine = 64;

// All cache lines of it, wherever it begins.
template <class T>
[[gnu::always_inline]] inline void prefetch_all(const T& object) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&object);
  for (std::size_t at = 0; at < sizeof(T); at += kCacheLine) prefetch(bytes + at);
  if (alignof(T) < kCacheLine && sizeof(T) > alignof(T)) prefetch(bytes + sizeof(T) - 1);
}

// Calls the last of the steps for each of the items, in their order; before that the others, each
// some items ahead of the one after it: they ask for what the next one looks at. Of few items each
// step is done for all.
template <class T, class... Steps>
[[gnu::always_inline]] inline void in_steps(std::span<T> items, Steps... steps) {
  constexpr std::size_t kApart = 6;  // items: far enough for memory, near enough for a cache
  const auto take_all = [&](auto& step) __attribute__((always_inline)) {
    for (T& item : items) step(item);
  };
  if (items.size() <= 2 * kApart) return (take_all(steps), ...);
  const std::size_t rounds = items.size() + (sizeof...(Steps) - 1) * kApart;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::size_t behind = 0;
    const auto take = [&](auto& step) __attribute__((always_inline)) {
      if (round >= behind && round - behind < items.size()) step(items[round - behind]);
      behind += kApart;
    };
    (take(steps), ...);
  }
}

}  // namespace wse::vm
