// Which lane of which block a PE has. Blocks lie in the box in which anything can happen; there are
// two ways to cut it:
//
//     rows     512 PEs one after the other, row by row: narrow boxes fill their words too
//     tiles    64 x 8 PEs, a word of lanes for each row of them: what moves along rows or columns
//              is in few blocks at a time, and the others rest
//
//     tiles of a box of 130 x 10 PEs, by number       wires: a column of tiles after the other
//       0  1  2      a band                             word  0..7  8 9   10      11..18  ...
//       3  4  5      a band                             tile  0     3     between 1
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/machine/topology.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/bits/wire.h"
#include "vm/support/pe_range.h"

namespace wse::vm::wafer {

inline constexpr std::uint32_t kLinks = isa::kMeshPorts - 1;  // West, East, North, South

// Some columns of some rows.
struct Box {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  // The smallest one of all PEs for which is_used(pe) holds.
  template <class IsUsed>
  static Box around(const isa::Topology& mesh, const PeRange& pes, IsUsed is_used) {
    std::uint32_t left = mesh.width();
    std::uint32_t right = 0;
    std::uint32_t top = mesh.height();
    std::uint32_t bottom = 0;
    for (PeId pe = pes.first; pe < pes.end; ++pe) {
      if (!is_used(pe)) continue;
      left = std::min(left, mesh.x_of(pe));
      right = std::max(right, mesh.x_of(pe) + 1);
      top = std::min(top, mesh.y_of(pe));
      bottom = mesh.y_of(pe) + 1;
    }
    if (right == 0) return {};
    return {left, top, right - left, bottom - top};
  }

  // Blocks and tiles that cover it: row by row, side by side, one below the other.
  std::uint32_t row_blocks() const { return (width * height + kLanes - 1) / kLanes; }
  std::uint32_t columns() const { return (width + kWordBits - 1) / kWordBits; }
  std::uint32_t bands() const { return (height + kWords - 1) / kWords; }
  // Whether it is cut into tiles. They are cut off at two edges; an eighth more blocks pay.
  bool is_worth_tiles() const {
    return columns() > 1 && 8 * columns() * bands() <= 9 * row_blocks();
  }
};

// A lane of one of the two blocks that are behind a link of a block.
struct LaneBeside {
  std::uint32_t which = 0;
  std::uint32_t lane = 0;
};

// The lanes behind a link of some lanes of a block, in one of the two blocks there.
struct LanesBeside {
  Lanes lanes;
  std::int32_t shift = 0;  // from each lane to the one behind its link
};

class Grid {
 public:
  // The mesh must live longer.
  Grid(const isa::Topology& mesh, const Box& box)
      : mesh_(mesh),
        box_(box),
        columns_(box.columns()),
        bands_(box.bands()),
        is_tiled_(box.is_worth_tiles()),
        has_whole_rows_(box.width == mesh.width()) {}

  bool is_tiled() const { return is_tiled_; }
  std::uint32_t blocks() const { return is_tiled_ ? columns_ * bands_ : box_.row_blocks(); }
  // Strips are of so many blocks or a multiple of them.
  std::uint32_t band() const { return is_tiled_ ? columns_ : 1; }
  const isa::Topology& mesh() const { return mesh_; }

  bool has(PeId pe) const { return x_of(pe) < box_.width && y_of(pe) < box_.height; }

  // ---- of PEs in the box
  std::uint32_t block_of(PeId pe) const {
    if (!is_tiled_) return index(pe) / kLanes;
    return y_of(pe) / kWords * columns_ + x_of(pe) / kWordBits;
  }
  std::uint32_t lane_of(PeId pe) const {
    if (!is_tiled_) return index(pe) % kLanes;
    return y_of(pe) % kWords * kWordBits + x_of(pe) % kWordBits;
  }
  PeId pe_of(std::uint32_t block, std::uint32_t lane) const {
    if (is_tiled_) {
      return mesh_.pe_at(box_.x + left(block) + lane % kWordBits,
                         box_.y + top(block) + lane / kWordBits);
    }
    const std::uint32_t index = block * kLanes + lane;
    if (has_whole_rows_) return box_.y * mesh_.width() + index;
    return mesh_.pe_at(box_.x + index % box_.width, box_.y + index / box_.width);
  }
  // Calls visit(pe, lane) for the PEs of a block.
  template <class Visit>
  void for_each_pe(std::uint32_t block, Visit visit) const {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (has_pe(block, lane)) visit(pe_of(block, lane), lane);
    }
  }

  // ---- neighbours
  // No block has a neighbour whose number is further from its own.
  std::uint32_t reach() const {
    return is_tiled_ ? columns_ : (box_.width + kLanes - 1) / kLanes + 1;
  }
  // The blocks behind a link of a block: blocks that may be equal, the first one not after the
  // second one. They lie outside of 0..blocks() - 1 where the box ends.
  std::array<std::int64_t, 2> beside(std::uint32_t block, std::uint32_t link) const;
  LaneBeside beside(std::uint32_t block, std::uint32_t lane, std::uint32_t link) const;

  // ---- wires: words in which each block has kWords, one after the other
  std::size_t wire_words() const { return is_tiled_ ? columns_ * pitch() : blocks() * kWords; }
  std::size_t wire_word(std::uint32_t block) const {
    if (!is_tiled_) return block * kWords;
    return block % columns_ * pitch() + top(block);
  }
  // Shifts reach so many words beyond them at most, on either side.
  std::size_t wire_padding() const { return is_tiled_ ? pitch() : box_.width / kWordBits + 2; }
  Shift shift(std::uint32_t link) const;

 private:
  std::uint32_t x_of(PeId pe) const { return mesh_.x_of(pe) - box_.x; }
  std::uint32_t y_of(PeId pe) const { return mesh_.y_of(pe) - box_.y; }
  std::uint32_t index(PeId pe) const {
    if (has_whole_rows_) return pe - box_.y * box_.width;
    return y_of(pe) * box_.width + x_of(pe);
  }
  std::uint32_t left(std::uint32_t tile) const { return tile % columns_ * kWordBits; }
  std::uint32_t top(std::uint32_t tile) const { return tile / columns_ * kWords; }
  bool has_pe(std::uint32_t block, std::uint32_t lane) const {
    if (!is_tiled_) return block * kLanes + lane < box_.width * box_.height;
    return left(block) + lane % kWordBits < box_.width &&
           top(block) + lane / kWordBits < box_.height;
  }
  // From a column of tiles to the next one. Between them is a word of nobody, so that strips read
  // no words of each other but those of neighbours.
  std::size_t pitch() const { return std::size_t{bands_} * kWords + 1; }
  // Rows: from a lane to its neighbour's over a link.
  std::int64_t step(std::uint32_t link) const {
    const auto width = std::int64_t{box_.width};
    return std::array<std::int64_t, kLinks>{-1, 1, -width, width}[link];
  }

  const isa::Topology& mesh_;
  Box box_;
  std::uint32_t columns_;  // of tiles
  std::uint32_t bands_;
  bool is_tiled_;
  bool has_whole_rows_;
};

// Calls visit(pe, lane) for the PEs of these lanes of a block, in ascending order.
template <class Visit>
void for_each_pe(const Grid& grid, std::uint32_t block, const Lanes& lanes, Visit visit) {
  for (std::uint32_t k = 0; k < kWords; ++k) {
    const std::uint32_t begin = k * kWordBits;
    std::uint64_t rest = lanes.word(k);
    if (rest == 0) continue;
    const PeId first = grid.pe_of(block, begin);
    const bool is_row = grid.pe_of(block, begin + kWordBits - 1) - first == kWordBits - 1;
    for (; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      visit(is_row ? first + bit : grid.pe_of(block, begin + bit), begin + bit);
    }
  }
}

// Returns the words of a block in the wire in which block `own` has those at `words`.
inline std::uint64_t* words_beside(const Grid& grid, std::uint64_t* words, std::uint32_t own,
                                   std::uint32_t block) {
  const auto place = [&grid](std::uint32_t of) {
    return static_cast<std::ptrdiff_t>(grid.wire_word(of));
  };
  return words + (place(block) - place(own));
}

// Returns the lanes behind a link of some lanes of a block, by the blocks of Grid::beside().
std::array<LanesBeside, 2> lanes_beside(const Grid& grid, std::uint32_t block, const Lanes& lanes,
                                        std::uint32_t link);

}  // namespace wse::vm::wafer
