// The slices of a machine, written down and taken up: strips may be cut otherwise then, so tiles
// and what is open go to whichever strip has them.
#include <algorithm>

#include "vm/ledger/slices.h"
#include "vm/support/state_archive.h"

namespace wse::vm {
namespace {

// How far ahead of the clock an instruction may finish whose stalls are known.
constexpr Cycle kMostAhead = Cycle{1} << 32;

// How many times as many slices as are wanted at most there may be, since they cannot be longer.
constexpr Cycle kMostTimes = 8;

}  // namespace

template <class Archive>
void Slices::pass(Archive& archive, std::span<Slices* const> strips, const SliceTiles& tiles,
                  const PeRange& pes, Cycle now) {
  Slices& first = *strips.front();
  Cycle charged = first.charged_until_;
  for (const Slices* const strip : strips) charged = std::max(charged, strip->charged_until_);
  if constexpr (!Archive::kReads) {
    for (Slices* const strip : strips) strip->charged_until(charged);
    const std::uint32_t coarsest = (*std::ranges::max_element(strips, {}, &Slices::shift_))->shift_;
    for (Slices* const strip : strips) {
      while (strip->shift_ < coarsest) strip->merge_neighbours();
      strip->take_stalls();
    }
  }
  pass_counts(archive, strips, tiles, pes);
  archive.number(charged);
  // A run of so many cycles takes years.
  archive.expect(now >> first.most_shift_ <= kMostTimes * first.most_ && charged <= now + 1 &&
                 (charged == 0 || (charged - 1) >> first.shift_ < first.slices_));
  if constexpr (Archive::kReads) {
    for (Slices* const strip : strips) strip->charged_until_ = charged;
  }
  pass_pending(archive, strips, pes, now);
}

// Passes the counts of all tiles, slice by slice. A tile that strips share is the first one's.
template <class Archive>
void Slices::pass_counts(Archive& archive, std::span<Slices* const> strips, const SliceTiles& tiles,
                         const PeRange& pes) {
  Slices& first = *strips.front();
  std::uint32_t shift = first.shift_;
  Cycle slices = 0;
  for (const Slices* const strip : strips) slices = std::max(slices, strip->slices_);
  archive.below(shift, std::uint64_t{first.most_shift_} + 1);
  std::vector<Counts> counts;
  if constexpr (!Archive::kReads) {
    counts.resize(slices * tiles.size());
    for (const Slices* const strip : strips) {
      for (std::size_t c = 0; c < kCharged; ++c) {
        strip->counts_[c].for_each(
            strip->shift_, [&](Cycle slice, std::size_t tile, std::uint32_t count) {
              counts[slice * tiles.size() + strip->first_tile_ + tile][c] += count;
            });
      }
    }
  }
  archive.list(counts, sizeof(Counts), [&](Counts& of_tile) {
    for (std::uint32_t& count : of_tile) archive.number(count);
  });
  archive.expect(counts.size() % tiles.size() == 0);
  if constexpr (!Archive::kReads) return;
  if (!archive.ok()) return;
  std::vector<bool> is_taken(tiles.size());
  if (pes.first < first.range_.first) {  // others have taken those of the rows above
    const std::size_t row = tiles.of(first.range_.first - 1) / tiles.width();
    std::fill_n(is_taken.begin(), (row + 1) * tiles.width(), true);
  }
  for (Slices* const strip : strips) {
    strip->shift_ = shift;
    strip->slices_ = counts.size() / tiles.size();
    for (SliceCounts& of_activity : strip->counts_) of_activity.begin_anew(strip->slices_);
    for (std::size_t k = 0; k < strip->tiles_; ++k) {
      const std::size_t tile = strip->first_tile_ + k;
      if (is_taken[tile]) continue;
      is_taken[tile] = true;
      for (std::size_t slice = 0; slice < strip->slices_; ++slice) {
        for (std::size_t c = 0; c < kCharged; ++c) {
          strip->counts_[c].at(slice, k) = counts[slice * tiles.size() + tile][c];
        }
      }
    }
  }
}

// Passes what is open, and stalls that are not over.
template <class Archive>
void Slices::pass_pending(Archive& archive, std::span<Slices* const> strips, const PeRange& pes,
                          Cycle now) {
  std::vector<Open> open;
  std::vector<Stall> stalls;
  if constexpr (!Archive::kReads) {
    for (const Slices* const strip : strips) {
      open.insert(open.end(), strip->open_.begin(), strip->open_.end());
      strip->stalls_.for_each_standing(
          [&](PeId pe, const StallSpan& span) { stalls.push_back({pe, span}); });
    }
    std::ranges::stable_sort(open, {}, &Open::pe);
    std::ranges::stable_sort(stalls, {}, &Stall::pe);
  }
  // Returns null if another process has the PE.
  const auto strip_of = [&](PeId pe) -> Slices* {
    const auto strip = std::ranges::find_if(
        strips, [pe](const Slices* const one) { return one->range_.contains(pe); });
    archive.expect(pes.contains(pe));
    return archive.ok() && strip != strips.end() ? *strip : nullptr;
  };
  archive.list(open, sizeof(PeId) + 2 * sizeof(Cycle) + 1, [&](Open& one) {
    archive.number(one.pe);
    archive.below(one.activity, kCharged);
    archive.number(one.from);
    archive.number(one.to);
    archive.expect(one.from < one.to && one.to <= now + 1);
    Slices* const strip = strip_of(one.pe);
    if constexpr (Archive::kReads) {
      if (strip != nullptr) strip->open_.push_back(one);
    }
  });
  archive.list(stalls, sizeof(PeId) + 3 * sizeof(Cycle), [&](Stall& stall) {
    archive.number(stall.pe);
    StallSpan& span = stall.span;
    for (std::uint64_t* const number : {&span.from, &span.count, &span.finish}) {
      archive.number(*number);
    }
    archive.expect(span.from < span.finish && span.count <= (span.finish - span.from) / 2 &&
                   span.finish <= now + kMostAhead);
    Slices* const strip = strip_of(stall.pe);
    if constexpr (Archive::kReads) {
      if (strip != nullptr) strip->stalls(stall.pe, span);
    }
  });
}

template void Slices::pass(StateWriter&, std::span<Slices* const>, const SliceTiles&,
                           const PeRange&, Cycle);
template void Slices::pass(StateReader&, std::span<Slices* const>, const SliceTiles&,
                           const PeRange&, Cycle);

}  // namespace wse::vm
