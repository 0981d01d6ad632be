// The border of a strip of a wafer: which blocks are its own, and where it writes what
// the others must know.
//
// Blocks read wires of blocks within reach. Blocks near a border wait with the updates of their
// queues until all strips have decided, so that everybody reads the state at the start of a cycle.
#pragma once

#include <cstdint>

#include "vm/planes/borders/exchange.h"

namespace wse::vm::wafer {

class Border {
 public:
  Border(Exchange& exchange, const Grid& grid, std::uint32_t strip)
      : exchange_(exchange),
        strip_(strip),
        reach_(grid.reach()),
        blocks_(grid.blocks()),
        first_(strip == 0 ? 0 : exchange.blocks_end(strip - 1)),
        end_(exchange.blocks_end(strip)) {}

  std::uint32_t strip() const { return strip_; }
  Exchange& exchange() const { return exchange_; }
  bool is_alone() const { return exchange_.strips() == 1; }
  bool owns(std::uint32_t block) const { return block - first_ < end_ - first_; }
  // An own block some of whose neighbours another strip owns.
  bool touches(std::uint32_t block) const {
    return (first_ > 0 && block < first_ + reach_) || (end_ < blocks_ && block + reach_ >= end_);
  }

  // 0 or 1, of the cycle.
  void enter(std::uint32_t half) { half_ = half; }
  Letters& letters_to(std::uint32_t strip) const { return exchange_.letters(strip_, strip, half_); }
  Letters& letters_to_owner(std::uint32_t block) const {
    return letters_to(exchange_.strip_of(block));
  }
  // Calls read(letters) for what each of the others wrote in the half cycle before.
  template <class Read>
  void read(Read read) const {
    for (std::uint32_t from = 0; from < exchange_.strips(); ++from) {
      if (from == strip_) continue;
      Letters& letters = exchange_.letters(from, strip_, 1 - half_);
      read(letters);
      letters.clear();
    }
  }

 private:
  Exchange& exchange_;
  std::uint32_t strip_;
  std::uint32_t reach_;
  std::uint32_t blocks_;
  std::uint32_t first_;
  std::uint32_t end_;
  std::uint32_t half_ = 0;
};

}  // namespace wse::vm::wafer
