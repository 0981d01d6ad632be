// The border of a strip of a wafer: which blocks are its own, and where it writes what
// the others must know.
//
// Blocks read wires of blocks within reach: of other strips' blocks a strip has copies of its own.
// Blocks near a border wait with the updates of their queues until all strips have decided, so that
// everybody reads the state at the start of a cycle. A half cycle is a turn of the link.
//
//     first half            | second half             | first half of the next cycle
//     cores act, threads    | what was sent over      | ...
//     issue, routers        | borders comes in,       |
//     decide; queues that   | queues near borders     |
//     no other strip        | take and give; threads  |
//     touches take and give | end, writes act         |
//     letters: sendings, ---+--> read                 |
//     arrivals              | letters: rooms ---------+--> read
//
// Words that somebody needs at once are asked for by mail, and who waits for others, there or at
// the end of a half, answers.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/planes/bits/grid.h"
#include "vm/planes/borders/letters.h"

namespace wse::vm::wafer {

class Border {
 public:
  // `ends`: by strip, after its last PE. The link must live longer.
  Border(Link& link, const Grid& grid, std::span<const PeId> ends)
      : link_(link), reach_(grid.reach()), blocks_(grid.blocks()) {
    for (const PeId end : ends.first(ends.size() - 1)) ends_.push_back(grid.block_of(end));
    ends_.push_back(blocks_);
    first_ = strip() == 0 ? 0 : ends_[strip() - 1];
    end_ = ends_[strip()];
  }

  std::uint32_t strip() const { return link_.strip(); }
  Link& link() const { return link_; }
  bool is_alone() const { return ends_.size() == 1; }
  bool owns(std::uint32_t block) const { return block - first_ < end_ - first_; }
  // An own block some of whose neighbours another strip owns.
  bool touches(std::uint32_t block) const {
    return (first_ > 0 && block < first_ + reach_) || (end_ < blocks_ && block + reach_ >= end_);
  }
  std::uint32_t strip_of(std::uint32_t block) const {
    std::uint32_t strip = 0;
    while (block >= ends_[strip]) ++strip;
    return strip;
  }

  MessageBytes& letters_to(std::uint32_t strip) const { return link_.to(strip); }
  MessageBytes& letters_to_owner(std::uint32_t block) const { return letters_to(strip_of(block)); }
  // Begins the other half of a cycle, when all strips have done this one.
  void turn() { link_.turn(); }
  // Calls read(strip, letters) for each strip that wrote some in the half cycle before.
  template <class Read>
  void read(Read read) const {
    for (std::uint32_t from = 0; from < ends_.size(); ++from) {
      if (from == strip()) continue;
      const std::span<const std::byte> bytes = link_.from(from);
      if (!bytes.empty()) read(from, LetterReader(bytes));
    }
  }

 private:
  Link& link_;
  std::uint32_t reach_;
  std::uint32_t blocks_;
  std::vector<std::uint32_t> ends_;  // by strip: after its last block
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace wse::vm::wafer
