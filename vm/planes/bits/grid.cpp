// Neighbours of rows and of tiles.
#include "vm/planes/bits/grid.h"

#include "isa/machine/fabric.h"
#include "isa/support/mutant.h"

namespace wse::vm::wafer {
namespace {

constexpr auto kWest = static_cast<std::uint32_t>(isa::Port::West);
constexpr auto kEast = static_cast<std::uint32_t>(isa::Port::East);
constexpr auto kNorth = static_cast<std::uint32_t>(isa::Port::North);

constexpr std::int64_t floor_div(std::int64_t value, std::int64_t by) {
  return (value - (value < 0 ? by - 1 : 0)) / by;
}

// Returns the lanes moved on by so many, fewer than a block has: those that stay in a block, and
// those that come into the next one.
std::array<LanesBeside, 2> moved(const Lanes& lanes, std::uint32_t by) {
  std::array<LanesBeside, 2> there = {};
  there[0].shift = static_cast<std::int32_t>(by);
  there[1].shift = there[0].shift - static_cast<std::int32_t>(kLanes);
  const auto add = [&there](std::uint32_t word, std::uint64_t bits) {
    there[word / kWords].lanes.word(word % kWords) |= bits;
  };
  const std::uint32_t bits = by % kWordBits;
  for (std::uint32_t k = 0; k < kWords; ++k) {
    add(k + by / kWordBits, lanes.word(k) << bits);
    if (bits != 0) add(k + by / kWordBits + 1, lanes.word(k) >> (kWordBits - bits));
  }
  return there;
}

}  // namespace

std::array<std::int64_t, 2> Grid::beside(std::uint32_t block, std::uint32_t link) const {
  if (!is_tiled_) {
    const std::int64_t first = std::int64_t{block} * kLanes + step(link);
    return {floor_div(first, kLanes), floor_div(first + kLanes - 1, kLanes)};
  }
  constexpr std::int64_t kOutside = -1;
  const std::int64_t own = block;
  const std::int64_t column = block % columns_;
  switch (link) {
    case kWest: return {column == 0 ? kOutside : own - 1, own};
    case kEast: return {own, column + 1 == columns_ ? kOutside : own + 1};
    case kNorth: return {own - columns_, own};
    default: return {own, own + columns_};
  }
}

LaneBeside Grid::beside(std::uint32_t block, std::uint32_t lane, std::uint32_t link) const {
  if (!is_tiled_) {
    const std::int64_t first = std::int64_t{block} * kLanes + step(link);
    const std::int64_t place = first + lane;
    const bool in_first = floor_div(place, kLanes) == floor_div(first, kLanes);
    return {in_first ? 0u : 1u, static_cast<std::uint32_t>(place & (kLanes - 1))};
  }
  switch (link) {
    case kWest: {
      const bool crosses = lane % kWordBits == 0;
      return {crosses ? 0u : 1u, crosses ? lane + kWordBits - 1 : lane - 1};
    }
    case kEast: {
      const bool crosses = lane % kWordBits == kWordBits - 1;
      return {crosses ? 1u : 0u, crosses ? lane + 1 - kWordBits : lane + 1};
    }
    case kNorth: return {lane < kWordBits ? 0u : 1u, (lane - kWordBits) % kLanes};
    default: return {lane + kWordBits < kLanes ? 0u : 1u, (lane + kWordBits) % kLanes};
  }
}

Shift Grid::shift(std::uint32_t link) const {
  if (!is_tiled_) return Shift::by(step(link));
  const auto pitch = static_cast<std::ptrdiff_t>(this->pitch());
  switch (link) {
    case kWest: return {.low = -pitch, .high = 0, .bits = kWordBits - 1};
    case kEast:
      return {.low = 0, .high = isa::mutant(isa::Mutant::TileCorner) ? 1 : pitch, .bits = 1};
    case kNorth: return {.low = -1, .high = 0, .bits = 0};
    default: return {.low = 1, .high = 0, .bits = 0};
  }
}

// All move as the first one does, but for those of tiles along rows: there a word is a row.
std::array<LanesBeside, 2> lanes_beside(const Grid& grid, std::uint32_t block, const Lanes& lanes,
                                        std::uint32_t link) {
  if (!grid.is_tiled() || (link != kWest && link != kEast)) {
    return moved(lanes, grid.beside(block, 0, link).lane);
  }
  constexpr auto kWide = static_cast<std::int32_t>(kWordBits);
  std::array<LanesBeside, 2> there;
  there[0].shift = link == kWest ? kWide - 1 : 1;
  there[1].shift = link == kWest ? -1 : 1 - kWide;
  for (std::uint32_t k = 0; k < kWords; ++k) {
    const std::uint64_t word = lanes.word(k);
    there[0].lanes.word(k) = link == kWest ? word << (kWordBits - 1) : word << 1;
    there[1].lanes.word(k) = link == kWest ? word >> 1 : word >> (kWordBits - 1);
  }
  return there;
}

}  // namespace wse::vm::wafer
