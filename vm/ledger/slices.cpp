// Counts by slice and tile, which become coarser as the run becomes longer.
#include "vm/ledger/slices.h"

#include <algorithm>
#include <bit>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

// Intervals that fill so many slices are entered at their ends.
constexpr Cycle kFewestWhole = 4;

// Returns the cycles c of from .. to - 1 with c % 2 == odd.
Cycle every_other(Cycle from, Cycle to, bool odd) {
  const Cycle even = odd ? 0 : 1;
  return (to + even) / 2 - (from + even) / 2;
}

// Calls part(slice, from, to) for each slice of 2^shift cycles, with the cycles from .. to - 1 of
// it that are in the interval.
template <class Part>
void for_each_slice(Cycle from, Cycle to, std::uint32_t shift, Part part) {
  while (from < to) {
    const Cycle slice = from >> shift;
    const Cycle end = std::min(to, (slice + 1) << shift);
    part(slice, from, end);
    from = end;
  }
}

// Calls part(slice, stalls) for each slice in which some of the stalls are.
template <class Part>
void for_each_slice(const StallSpan& span, std::uint32_t shift, Part part) {
  const bool are_odd = span.from % 2 == 0;
  for_each_slice(
      span.from, span.from + 2 * span.count, shift,
      [&](Cycle slice, Cycle from, Cycle to) { part(slice, every_other(from, to, are_odd)); });
}

}  // namespace

Slices::Slices(const SliceTiles& tiles, const PeRange& pes, std::uint32_t wanted)
    : range_(pes), tile_of_(pes.size()), most_(Cycle{2} * wanted) {
  // A strip may begin and end within a row of tiles: it has whole rows of them.
  const std::uint32_t row = tiles.width();
  first_tile_ = tiles.of(pes.first) / row * row;
  tiles_ = (tiles.of(pes.end - 1) / row + std::size_t{1}) * row - first_tile_;
  for (PeId pe = pes.first; pe < pes.end; ++pe) {
    tile_of_[pes.index(pe)] = static_cast<std::uint16_t>(tiles.of(pe) - first_tile_);
  }
  most_shift_ = tiles.most_shift();
  counts_.fill(SliceCounts(tiles_, most_));
}

std::uint64_t Slices::bytes(const SliceTiles& tiles, std::size_t pes, std::uint32_t wanted) {
  constexpr std::uint64_t kOfTile = kCharged * SliceCounts::kBytes;
  return std::uint64_t{2} * wanted * tiles.size() * kOfTile + pes * sizeof(std::uint16_t);
}

void Slices::merge_neighbours() {
  for (SliceCounts& counts : counts_) {
    counts.fold(shift_);
    counts.merge();
  }
  slices_ = (slices_ + 1) / 2;
  ++shift_;
}

// Makes room for the slice of a cycle.
void Slices::reach(Cycle cycle) {
  while (cycle >> shift_ >= most_ && shift_ < most_shift_) merge_neighbours();
  slices_ = std::max(slices_, (cycle >> shift_) + 1);
}

void Slices::charge_in(PeId pe, Activity activity, Cycle in, Cycle cycles, Cycle until) {
  if (activity == Activity::Idle) return;
  charged_until_ = std::max(charged_until_, until);
  reach(in);
  of(activity).make_room(slices_);
  of(activity).at(in >> shift_, tile_of_[range_.index(pe)]) += static_cast<std::uint32_t>(cycles);
}

void Slices::enter_parts(std::uint32_t tile, Activity activity, Cycle from, Cycle to) {
  reach(to - 1);
  of(activity).make_room(slices_);
  if (isa::mutant(isa::Mutant::SliceKeepsAll)) {
    of(activity).at(from >> shift_, tile) += static_cast<std::uint32_t>(to - from);
    return;
  }
  const auto enter_short = [&](Cycle begin, Cycle end) {
    for_each_slice(begin, end, shift_, [&](Cycle slice, Cycle first, Cycle last) {
      of(activity).at(slice, tile) += static_cast<std::uint32_t>(last - first);
    });
  };
  const Cycle first = (from + (Cycle{1} << shift_) - 1) >> shift_;  // slice
  const Cycle end = to >> shift_;
  if (end < first + kFewestWhole) return enter_short(from, to);
  enter_short(from, first << shift_);
  of(activity).fill(first, end, tile);
  enter_short(end << shift_, to);
}

void Slices::charge_every_other(PeId pe, Cycle from, Cycle to, bool stalls_first) {
  if (from == to) return;
  reach(to - 1);
  of(Activity::Busy).make_room(slices_);
  of(Activity::MemoryStall).make_room(slices_);
  charged_until_ = std::max(charged_until_, to);
  const bool odd_busy = (from % 2 == 1) != stalls_first;
  const std::uint32_t tile = tile_of_[range_.index(pe)];
  for_each_slice(from, to, shift_, [&](Cycle slice, Cycle begin, Cycle end) {
    const Cycle busy = every_other(begin, end, odd_busy);
    of(Activity::Busy).at(slice, tile) += static_cast<std::uint32_t>(busy);
    of(Activity::MemoryStall).at(slice, tile) += static_cast<std::uint32_t>(end - begin - busy);
  });
}

Cycle Slices::charged_until(Cycle others) {
  if (others > charged_until_) {
    reach(others - 1);
    charged_until_ = others;
  }
  return charged_until_;
}

// Turns the stalls of instructions that have finished from busy cycles into stalls.
void Slices::take_stalls() {
  of(Activity::Busy).make_room(slices_);
  of(Activity::MemoryStall).make_room(slices_);
  stalls_.take_finished(charged_until_, [this](PeId pe, const StallSpan& span) {
    const std::uint32_t tile = tile_of_[range_.index(pe)];
    for_each_slice(span, shift_, [&](Cycle slice, Cycle stalls) {
      of(Activity::Busy).at(slice, tile) -= static_cast<std::uint32_t>(stalls);
      of(Activity::MemoryStall).at(slice, tile) += static_cast<std::uint32_t>(stalls);
    });
  });
}

void Slices::keep_open() {
  for (const Open& open : open_) charge(open.pe, open.activity, open.from, open.to);
  open_.clear();
}

void Slices::drop_open() {
  if (isa::mutant(isa::Mutant::SlicesStayOpen)) return keep_open();
  open_.clear();
}

void Slices::add_to(std::vector<std::uint64_t>& cycles, Activity activity,
                    const SliceFrame& frame) const {
  const auto at = [&](Cycle slice, std::size_t tile) -> std::uint64_t& {
    return cycles[std::min<std::size_t>(slice, frame.slices() - 1) * frame.tiles() + tile];
  };
  const bool is_rest = activity == Activity::Idle;  // what the others leave
  for (std::size_t k = 0; k < kCharged; ++k) {
    if (!is_rest && k != static_cast<std::size_t>(activity)) continue;
    counts_[k].for_each(shift_, [&](Cycle slice, std::size_t tile, std::uint64_t count) {
      const Cycle to = slice >> (frame.shift - shift_);
      at(to, first_tile_ + tile) += is_rest ? std::uint64_t{0} - count : count;
    });
  }
  if (activity != Activity::Busy && activity != Activity::MemoryStall) return;
  stalls_.for_each_standing([&](PeId pe, const StallSpan& span) {
    const std::size_t tile = first_tile_ + std::size_t{tile_of_[range_.index(pe)]};
    for_each_slice(span, frame.shift, [&](Cycle slice, Cycle stalls) {
      at(slice, tile) += activity == Activity::MemoryStall ? stalls : Cycle{0} - stalls;
    });
  });
}

SliceFrame Slices::frame(std::span<const Slices* const> strips, const Machine& machine) {
  const auto& [tiles, placed, cycles, least_shift] = machine;
  SliceFrame frame{
      .side = tiles.side(), .width = tiles.width(), .height = tiles.height(), .shift = least_shift};
  for (const Slices* strip : strips) {
    while (frame.shift < strip->most_shift_ && cycles > strip->most_ << frame.shift) ++frame.shift;
    frame.shift = std::max(frame.shift, strip->shift_);
  }
  const Cycle width = Cycle{1} << frame.shift;
  const Cycle slices = std::max<Cycle>((cycles + width - 1) / width, 1);
  for (Cycle k = 0; k <= slices; ++k) frame.edges.push_back(std::min(k * width, cycles));
  return frame;
}

std::vector<std::uint64_t> Slices::cycles_of(Activity activity, const SliceFrame& frame,
                                             std::span<const Slices* const> strips,
                                             const Machine& machine) {
  std::vector<std::uint64_t> cycles(frame.slices() * frame.tiles());
  if (activity == Activity::Idle) {
    std::vector<std::uint64_t> pes(frame.tiles());
    for (const PeId pe : machine.placed) ++pes[machine.tiles.of(pe)];
    for (std::size_t k = 0; k < cycles.size(); ++k) {
      const std::size_t slice = k / frame.tiles();
      cycles[k] = pes[k % frame.tiles()] * (frame.edges[slice + 1] - frame.edges[slice]);
    }
  }
  for (const Slices* strip : strips) strip->add_to(cycles, activity, frame);
  return cycles;
}

SliceTable Slices::table(std::span<const Slices* const> strips, const Machine& machine) {
  SliceTable table{frame(strips, machine), {}, {}};
  for (std::size_t k = 0; k < kActivities; ++k) {
    const auto more = cycles_of(static_cast<Activity>(k), table, strips, machine);
    table.cycles.insert(table.cycles.end(), more.begin(), more.end());
  }
  return table;
}

}  // namespace wse::vm
