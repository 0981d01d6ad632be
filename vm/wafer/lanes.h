// A block of lanes: one bit for each of 512 PEs, side by side in the registers of the host. Which
// PE has which lane of which block says grid.h.
//
// Operators only: nothing here knows what a bit means. All of them are inlined into functions that
// are compiled for the level of the host, see steps.cpp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace wse::vm::wafer {

inline constexpr std::uint32_t kLanes = 512;
inline constexpr std::uint32_t kWordBits = 64;
inline constexpr std::uint32_t kWords = kLanes / kWordBits;

using LaneWords [[gnu::vector_size(64)]] = std::uint64_t;

struct alignas(64) Lanes {
  LaneWords words = {};

  // Halves are joined, since compilers take a loop over the words one by one.
  [[gnu::always_inline]] bool any() const {
    using Half [[gnu::vector_size(32)]] = std::uint64_t;
    using Quarter [[gnu::vector_size(16)]] = std::uint64_t;
    const Half half = __builtin_shufflevector(words, words, 0, 1, 2, 3) |
                      __builtin_shufflevector(words, words, 4, 5, 6, 7);
    const Quarter quarter =
        __builtin_shufflevector(half, half, 0, 1) | __builtin_shufflevector(half, half, 2, 3);
    return (quarter[0] | quarter[1]) != 0;
  }
  bool has(std::uint32_t lane) const {
    return (words[lane / kWordBits] >> lane % kWordBits & 1) != 0;
  }
  void set(std::uint32_t lane) { words[lane / kWordBits] |= std::uint64_t{1} << lane % kWordBits; }
  void clear(std::uint32_t lane) {
    words[lane / kWordBits] &= ~(std::uint64_t{1} << lane % kWordBits);
  }
  void put(std::uint32_t lane, bool bit) { bit ? set(lane) : clear(lane); }
  std::uint32_t count() const {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < kWords; ++k)
      sum += static_cast<std::uint32_t>(std::popcount(words[k]));
    return sum;
  }

  [[gnu::always_inline]] Lanes& operator|=(const Lanes& other) {
    words |= other.words;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator&=(const Lanes& other) {
    words &= other.words;
    return *this;
  }
  [[gnu::always_inline]] Lanes& remove(const Lanes& other) {
    words &= ~other.words;
    return *this;
  }
};

static_assert(alignof(Lanes) == 64);

[[gnu::always_inline]] inline Lanes operator|(const Lanes& a, const Lanes& b) {
  return {a.words | b.words};
}
[[gnu::always_inline]] inline Lanes operator&(const Lanes& a, const Lanes& b) {
  return {a.words & b.words};
}
[[gnu::always_inline]] inline Lanes operator^(const Lanes& a, const Lanes& b) {
  return {a.words ^ b.words};
}
[[gnu::always_inline]] inline Lanes without(const Lanes& a, const Lanes& b) {
  return {a.words & ~b.words};
}
[[gnu::always_inline]] inline Lanes inverse(const Lanes& a) { return {~a.words}; }

// Calls visit(lane) for the lanes that are set, in ascending order.
template <class Visit>
void for_each_lane(const Lanes& lanes, Visit visit) {
  for (std::uint32_t k = 0; k < kWords; ++k) {
    for (std::uint64_t rest = lanes.words[k]; rest != 0; rest &= rest - 1) {
      visit(k * kWordBits + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
}

}  // namespace wse::vm::wafer
