// Counting filters of a block of routers. A filter lets so many words pass, then drops so many:
// planes say who drops now, a counter how many words that lasts; when it changes is an event.
#pragma once

#include <array>
#include <cstdint>

#include "isa/support/mutant.h"
#include "vm/contract/counting_filter.h"
#include "vm/load/configuration.h"
#include "vm/planes/bits/lane_counters.h"

namespace wse::vm::wafer {

struct FilterPlanes {
  Lanes filtered;  // who has a filter
  Lanes dropping;  // of these, who drops the next word
  Lanes seen;      // who has counted a word in this cycle; it stays while the block rests
  DownCounter left;
  UpCounter dropped;
  std::array<CountingFilter, kLanes> filters;

  // Of `passing`, words that move to the PEs of these lanes; the lanes of which it was the last of
  // a turn.
  [[gnu::always_inline]] Lanes count(const Lanes& passing) {
    seen = passing & filtered;
    dropped.add(seen & dropping);
    return left.step(seen);
  }
  // Repeats the last cycle so many times; no turn ends in them.
  void repeat(std::uint64_t cycles) {
    dropped.add(seen & dropping, cycles);
    left.step(seen, cycles);
  }
  // Returns the cycles until the first turn ends, that one included.
  std::uint64_t steps_left() const { return seen.any() ? left.least(seen) : DownCounter::kEndless; }
  // Instead of what the lane had.
  void open(std::uint32_t lane, const FilterSetting& setting) {
    const bool filters_words = setting.shape.kind != isa::FilterKind::None;
    filtered.put(lane, filters_words);
    if (!isa::mutant(isa::Mutant::DropsOn)) dropping.clear(lane);
    if (!filters_words) return;
    filters[lane].open(setting);
    begin(lane);
  }
  // The lane has that filter, as it is after words that came.
  void begin_with(std::uint32_t lane, const CountingFilter& filter) {
    filtered.set(lane);
    filters[lane] = filter;
    begin(lane);
  }
  // Returns the filter of a lane that has one as it is after all words that came.
  CountingFilter now(std::uint32_t lane) const {
    CountingFilter filter = filters[lane];
    if (isa::mutant(isa::Mutant::GivenFilter)) return filter;
    filter.count_before_turn(filter.words_to_turn() - left.left(lane));
    return filter;
  }
  // The last word of its turn has come.
  void turn(std::uint32_t lane) {
    filters[lane].turn();
    begin(lane);
  }

 private:
  void begin(std::uint32_t lane) {
    dropping.put(lane, filters[lane].drops());
    left.begin(lane, filters[lane].words_to_turn());
  }
};

}  // namespace wse::vm::wafer
