// What PEs show their neighbours over one port of one colour: a bit per PE of the strip, in one
// row, so that the bit of any neighbour is the same row moved by so many bits.
//
//     PE      ... p-w ............ p-1  p  p+1 ............ p+w ...
//     of p:       north            west    east             south
//
// The ends are padded: what lies beyond them is 0. That a row ends at the edge of the grid a wire
// does not know; nobody may believe it there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vm/wafer/lanes.h"

namespace wse::vm::wafer {

// From a lane to the one whose bit it reads, as words and bits.
struct Shift {
  std::ptrdiff_t words = 0;
  std::uint32_t bits = 0;

  static Shift by(std::int64_t lanes) {
    const auto bits = static_cast<std::uint32_t>(lanes & (kWordBits - 1));
    return {static_cast<std::ptrdiff_t>((lanes - bits) / std::int64_t{kWordBits}), bits};
  }
};

class Wire {
 public:
  // Shifts reach at most so many lanes.
  Wire(std::size_t blocks, std::size_t reach)
      : padding_(reach / kWordBits + 2), words_(blocks * kWords + 2 * padding_) {}

  std::uint64_t* block(std::size_t number) { return words_.data() + padding_ + number * kWords; }

 private:
  std::size_t padding_;
  std::vector<std::uint64_t> words_;
};

[[gnu::always_inline]] inline Lanes read_wire(const std::uint64_t* block, const Shift& shift) {
  LaneWords low;
  LaneWords high;
  std::memcpy(&low, block + shift.words, sizeof low);
  std::memcpy(&high, block + shift.words + 1, sizeof high);
  return {low >> shift.bits | high << 1 << (kWordBits - 1 - shift.bits)};
}

// True if that changes it.
[[gnu::always_inline]] inline bool write_wire(std::uint64_t* block, const Lanes& lanes) {
  Lanes before;
  std::memcpy(&before.words, block, sizeof before.words);
  std::memcpy(block, &lanes.words, sizeof lanes.words);
  return (before ^ lanes).any();
}

}  // namespace wse::vm::wafer
