// The rows of a message that PEs of a block send alike: one instruction, begun in one cycle, of
// which each lane has a row of words of its own.
//
//     lane        0 1 2 3 4 5 ...
//     sends       1 0 1 1 0 1            4 rows or more, one after the other in the message's room
//     row         0   1 2   3
//     made        1   1 0   1            a row is made as a whole
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "isa/support/checked.h"

namespace wse::vm::wafer {

class MessageRows {
 public:
  static constexpr std::uint32_t kWords = 8;  // of 64 lanes
  using Lanes = std::array<std::uint64_t, kWords>;

  // `thread`: the number of the threads that send.
  MessageRows(std::uint32_t block, std::uint32_t thread, const Lanes& lanes)
      : block_(block), thread_(thread), lanes_(lanes) {
    for (std::uint32_t k = 0; k < kWords; ++k) {
      before_[k] = count_;
      count_ = static_cast<std::uint16_t>(count_ + std::popcount(lanes_[k]));
    }
  }

  std::uint32_t block() const { return block_; }
  std::uint32_t thread() const { return thread_; }
  std::uint32_t count() const { return count_; }
  bool has(std::uint32_t lane) const { return bit_of(lanes_, lane); }
  // The row of a lane that has one.
  std::uint32_t row_of(std::uint32_t lane) const {
    isa::check_that(has(lane), "a lane has a row of each message that it sends");
    const std::uint64_t lower = (std::uint64_t{1} << lane % 64) - 1;
    return before_[lane / 64] +
           static_cast<std::uint32_t>(std::popcount(lanes_[lane / 64] & lower));
  }
  bool is_made(std::uint32_t lane) const { return bit_of(made_, lane); }
  void set_made(std::uint32_t lane) { made_[lane / 64] |= std::uint64_t{1} << lane % 64; }

 private:
  static bool bit_of(const Lanes& lanes, std::uint32_t lane) {
    return (lanes[lane / 64] >> lane % 64 & 1) != 0;
  }

  std::uint32_t block_;
  std::uint32_t thread_;
  std::uint16_t count_ = 0;
  std::array<std::uint16_t, kWords> before_ = {};  // rows of the words before
  Lanes lanes_;
  Lanes made_ = {};
};

}  // namespace wse::vm::wafer
