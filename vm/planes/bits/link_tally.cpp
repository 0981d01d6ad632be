// Bits of planes become bytes of lanes eight at a time.
#include "vm/planes/bits/link_tally.h"

#include <cstring>
#include <optional>

namespace wse::vm::wafer {
namespace {

constexpr std::uint32_t kByte = 8;  // bits

// Byte k of the n-th entry is bit k of n.
constexpr std::array<std::uint64_t, 256> bytes_of_bits() {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t bits = 0; bits < table.size(); ++bits) {
    for (std::uint32_t k = 0; k < kByte; ++k) table[bits] |= (bits >> k & 1) << k * kByte;
  }
  return table;
}

constexpr std::array<std::uint64_t, 256> kBytesOfBits = bytes_of_bits();

}  // namespace

LaneBytes lane_bytes(std::span<const Lanes> planes) {
  LaneBytes bytes{};
  for (std::uint32_t word = 0; word < kWords; ++word) {
    for (std::size_t plane = 0; plane < planes.size(); ++plane) {
      const std::uint64_t bits = planes[plane].word(word);
      if (bits == 0) continue;
      for (std::uint32_t k = 0; k < kWordBits / kByte; ++k) {
        std::uint8_t* const eight = bytes.data() + word * kWordBits + k * kByte;
        std::uint64_t counts;
        std::memcpy(&counts, eight, sizeof counts);
        counts |= kBytesOfBits[bits >> k * kByte & 0xff] << plane;
        std::memcpy(eight, &counts, sizeof counts);
      }
    }
  }
  return bytes;
}

void LinkTally::add(const LaneBytes& counts, std::uint64_t times) {
  if (has_rows_) return add_each(counts, times);
  for (const Run& run : runs_) {
    std::uint64_t sum = 0;
    for (std::size_t lane = run.begin; lane < run.end; ++lane) sum += counts[lane];
    if (sum > 0) sums_.add_to_row(run.row, sum * times);
  }
}

void LinkTally::add_each(const LaneBytes& counts, std::uint64_t times) {
  for (const Run& run : runs_) {
    const std::size_t lanes = run.end - run.begin;
    const std::uint8_t* const first = counts.data() + run.begin;
    const std::span<std::uint64_t> rows = sums_.to_add(run.row, lanes);
    for (std::size_t k = 0; k < lanes; ++k) rows[k] += first[k] * times;
  }
}

void LinkTally::count(const LaneBytes& counts) { add(counts, 1); }

void LinkTally::count(const Lanes& lanes, std::uint64_t times) {
  if (inverse(lanes).any()) return add(lane_bytes({&lanes, 1}), times);
  for (const Run& run : runs_) {
    const std::size_t count = run.end - run.begin;
    if (!has_rows_) {
      sums_.add_to_row(run.row, count * times);
      continue;
    }
    for (std::uint64_t& sum : sums_.to_add(run.row, count)) sum += times;
  }
}

std::vector<LinkTally::Run> tally_runs(const Grid& grid, std::uint32_t block, isa::Port link,
                                       const SliceTiles& tiles) {
  const isa::Topology& mesh = grid.mesh();
  const std::size_t first = mesh.link_index(isa::opposite(link)) * tiles.size();
  const bool has_rows = tiles.side() == 1;
  std::vector<LinkTally::Run> runs;
  grid.for_each_pe(block, [&](PeId pe, std::uint32_t lane) {
    const std::optional<PeId> from = mesh.neighbour(pe, link);
    if (!from) return;
    const auto row = static_cast<std::uint32_t>(first + tiles.of(*from));
    const auto end = static_cast<std::uint16_t>(lane + 1);
    const bool follows = !runs.empty() && runs.back().end == lane;
    const std::uint32_t next =
        runs.empty() ? 0 : runs.back().row + (has_rows ? lane - runs.back().begin : 0);
    if (follows && next == row) {
      runs.back().end = end;
    } else {
      runs.push_back({static_cast<std::uint16_t>(lane), end, row});
    }
  });
  return runs;
}

}  // namespace wse::vm::wafer
