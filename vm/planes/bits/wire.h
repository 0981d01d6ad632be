// The signals of PEs to their neighbours over one port of one colour: a bit per PE, in words that
// lie so that the bits of the neighbours of a block are its own words, moved by the same words and
// bits for every block:
//
//     rows, west      ... p-3 p-2 p-1 | p  p+1 ...      a row of bits, moved by one
//     tiles, west     word k of the tile to the west: its last bit, then those of the own word k
//     tiles, north    word k - 1 of the own tile; where k is 0, the last one of the tile to the
//     north
//
// The ends are padded: what lies beyond them is 0. That a row ends at the edge of the grid a wire
// does not know; nobody may believe it there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vm/planes/bits/lanes.h"

namespace wse::vm::wafer {

// From the words of a block to those of which each bit it reads is a part: `bits` down from `low`,
// the rest from `high`.
struct Shift {
  std::ptrdiff_t low = 0;
  std::ptrdiff_t high = 0;
  std::uint32_t bits = 0;

  // Along a row of bits.
  static Shift by(std::int64_t lanes) {
    const auto bits = static_cast<std::uint32_t>(lanes & (kWordBits - 1));
    const auto words = static_cast<std::ptrdiff_t>((lanes - bits) / std::int64_t{kWordBits});
    return {words, words + 1, bits};
  }
};

class Wire {
 public:
  Wire(std::size_t words, std::size_t padding) : padding_(padding), words_(words + 2 * padding) {}

  // The words of the block whose first one that is.
  std::uint64_t* at(std::size_t word) { return words_.data() + padding_ + word; }

 private:
  std::size_t padding_;
  std::vector<std::uint64_t> words_;
};

// The words of a block there, wherever they begin.
[[gnu::always_inline]] inline Lanes load(const std::uint64_t* words) {
  Lanes lanes;
  std::memcpy(&lanes.low, words, sizeof lanes.low);
  std::memcpy(&lanes.high, words + kHalfWords, sizeof lanes.high);
  return lanes;
}

[[gnu::always_inline]] inline Lanes read_wire(const std::uint64_t* block, const Shift& shift) {
  const Lanes low = load(block + shift.low);
  const Lanes high = load(block + shift.high);
  const std::uint32_t rest = kWordBits - 1 - shift.bits;
  return {low.low >> shift.bits | high.low << 1 << rest,
          low.high >> shift.bits | high.high << 1 << rest};
}

// True if that changes it.
[[gnu::always_inline]] inline bool write_wire(std::uint64_t* block, const Lanes& lanes) {
  const Lanes before = load(block);
  std::memcpy(block, &lanes.low, sizeof lanes.low);
  std::memcpy(block + kHalfWords, &lanes.high, sizeof lanes.high);
  return (before ^ lanes).any();
}

}  // namespace wse::vm::wafer
