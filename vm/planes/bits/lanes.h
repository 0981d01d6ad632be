// A block of lanes: one bit for each of 512 PEs, side by side in the registers of the host. Which
// PE has which lane of which block says grid.h.
//
// Operators only: nothing here knows what a bit means. All of them are inlined into functions that
// are compiled for the level of the host, see steps.cpp. They take a block in two halves: g++ 12
// keeps vectors that are larger than the registers of the level in memory, and writes and reads
// them there in different sizes, which stalls the host.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace wse::vm::wafer {

inline constexpr std::uint32_t kLanes = 512;
inline constexpr std::uint32_t kWordBits = 64;
inline constexpr std::uint32_t kWords = kLanes / kWordBits;

using LaneHalf [[gnu::vector_size(32)]] = std::uint64_t;
inline constexpr std::uint32_t kHalfWords = kWords / 2;
using LaneWord [[gnu::may_alias]] = std::uint64_t;

struct alignas(64) Lanes {
  LaneHalf low = {};
  LaneHalf high = {};

  std::uint64_t word(std::uint32_t k) const { return reinterpret_cast<const LaneWord*>(this)[k]; }
  LaneWord& word(std::uint32_t k) { return reinterpret_cast<LaneWord*>(this)[k]; }
  // Halves are joined, since compilers take a loop over the words one by one.
  [[gnu::always_inline]] bool any() const {
    using Quarter [[gnu::vector_size(16)]] = std::uint64_t;
    const LaneHalf half = low | high;
    const Quarter quarter =
        __builtin_shufflevector(half, half, 0, 1) | __builtin_shufflevector(half, half, 2, 3);
    return (quarter[0] | quarter[1]) != 0;
  }
  bool has(std::uint32_t lane) const {
    return (word(lane / kWordBits) >> lane % kWordBits & 1) != 0;
  }
  bool has_any(std::uint32_t lane) const { return has(lane); }
  bool has_any(const Lanes& lanes) const;
  void set(std::uint32_t lane) { word(lane / kWordBits) |= std::uint64_t{1} << lane % kWordBits; }
  void clear(std::uint32_t lane) {
    word(lane / kWordBits) &= ~(std::uint64_t{1} << lane % kWordBits);
  }
  void put(std::uint32_t lane, bool bit) { bit ? set(lane) : clear(lane); }
  void put(const Lanes& lanes, bool bit) { bit ? add(lanes) : remove(lanes); }
  // How many are set: sums of 2, 4 and 8 bits side by side, since not every host counts bits.
  std::uint32_t count() const {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < kWords; ++k) {
      std::uint64_t bits = word(k);
      bits -= bits >> 1 & 0x5555555555555555u;
      bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
      bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
      sum += bits * 0x0101010101010101u >> 56;
    }
    return static_cast<std::uint32_t>(sum);
  }
  // Whether one is set, of lanes of which some are.
  bool has_one() const {
    std::uint32_t k = 0;
    while (word(k) == 0) ++k;
    if ((word(k) & (word(k) - 1)) != 0) return false;
    for (++k; k < kWords; ++k) {
      if (word(k) != 0) return false;
    }
    return true;
  }

  [[gnu::always_inline]] Lanes& add(const Lanes& other) {
    low |= other.low;
    high |= other.high;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator|=(const Lanes& other) { return add(other); }
  [[gnu::always_inline]] Lanes& operator&=(const Lanes& other) {
    low &= other.low;
    high &= other.high;
    return *this;
  }
  [[gnu::always_inline]] Lanes& remove(const Lanes& other) {
    low &= ~other.low;
    high &= ~other.high;
    return *this;
  }
};

static_assert(alignof(Lanes) == 64);

[[gnu::always_inline]] inline Lanes operator|(const Lanes& a, const Lanes& b) {
  return {a.low | b.low, a.high | b.high};
}
[[gnu::always_inline]] inline Lanes operator&(const Lanes& a, const Lanes& b) {
  return {a.low & b.low, a.high & b.high};
}
[[gnu::always_inline]] inline Lanes operator^(const Lanes& a, const Lanes& b) {
  return {a.low ^ b.low, a.high ^ b.high};
}
[[gnu::always_inline]] inline Lanes without(const Lanes& a, const Lanes& b) {
  return {a.low & ~b.low, a.high & ~b.high};
}
[[gnu::always_inline]] inline Lanes inverse(const Lanes& a) { return {~a.low, ~a.high}; }

inline bool Lanes::has_any(const Lanes& lanes) const { return (*this & lanes).any(); }

// Removes the lanes whose bit in the plane is not that of the lane.
[[gnu::always_inline]] inline void keep_same(Lanes& lanes, const Lanes& plane, std::uint32_t lane) {
  lanes.remove(plane.has(lane) ? inverse(plane) : plane);
}

// The lowest lane that is set; one must be.
inline std::uint32_t first_of(const Lanes& lanes) {
  std::uint32_t k = 0;
  while (lanes.word(k) == 0) ++k;
  return k * kWordBits + static_cast<std::uint32_t>(std::countr_zero(lanes.word(k)));
}

// Calls visit(lane) for the lanes that are set, in ascending order.
template <class Visit>
void for_each_lane(const Lanes& lanes, Visit visit) {
  for (std::uint32_t k = 0; k < kWords; ++k) {
    for (std::uint64_t rest = lanes.word(k); rest != 0; rest &= rest - 1) {
      visit(k * kWordBits + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
}

// Calls visit(lane) for the only lane, where others have some.
template <class Visit>
void for_each_lane(std::uint32_t lane, Visit visit) {
  visit(lane);
}

}  // namespace wse::vm::wafer
