// Places of a PE wait until the clock has passed them; then they are cycles.
#include "vm/ledger/line_cycles.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

constexpr LineCause cause_in(LinePhase phase, Activity activity, bool by_fifo) {
  if (phase == LinePhase::NoTask) return LineCause::NoTask;
  if (phase == LinePhase::Halted) return LineCause::Halted;
  switch (activity) {
    case Activity::MemoryStall:
      return phase == LinePhase::Scalar ? LineCause::Slot : LineCause::Bank;
    case Activity::WaitOutput: return by_fifo ? LineCause::Fifo : LineCause::Output;
    case Activity::WaitInput: return by_fifo ? LineCause::Fifo : LineCause::Input;
    case Activity::Idle: return LineCause::Thread;
    case Activity::Busy: break;
  }
  switch (phase) {
    case LinePhase::TaskStart: return LineCause::TaskStart;
    case LinePhase::SetUp: return LineCause::SetUp;
    case LinePhase::Noops: return LineCause::Noop;
    case LinePhase::Vector: return LineCause::Issue;
    case LinePhase::Thread: return LineCause::Thread;
    default: return LineCause::Scalar;
  }
}

constexpr std::size_t kPhases = static_cast<std::size_t>(LinePhase::Halted) + 1;
using CauseTable = std::array<std::array<std::array<LineCause, 2>, kActivities>, kPhases>;

constexpr CauseTable all_causes() {
  CauseTable table{};
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    for (std::size_t k = 0; k < kActivities; ++k) {
      const auto activity = static_cast<Activity>(k);
      table[phase][k] = {cause_in(static_cast<LinePhase>(phase), activity, false),
                         cause_in(static_cast<LinePhase>(phase), activity, true)};
    }
  }
  return table;
}

constexpr CauseTable kCauses = all_causes();

LineCause cause_of(LinePhase phase, Activity activity, bool by_fifo) {
  const std::size_t which = by_fifo && !isa::mutant(isa::Mutant::FifoCauses) ? 1 : 0;
  return kCauses[static_cast<std::size_t>(phase)][static_cast<std::size_t>(activity)][which];
}

constexpr std::size_t kMostPrefetched = 32;  // counts: two lines of the host's cache

}  // namespace

LineCycles::LineCycles(const LineMap& map, const PeRange& pes, const Loaded& loaded)
    : map_(&map), range_(pes), pes_(pes.size()), causes_(map.rows()) {
  std::size_t widest = 0;
  std::size_t needed = 0;
  for (const PeId id : loaded.placed()) {
    if (!pes.contains(id)) continue;
    const std::size_t rows = map.rows(loaded.program_at(id)->number);
    widest = std::max(widest, rows);
    needed += rows;
  }
  // Counts of a PE are found without looking at it, unless that takes much more memory.
  const bool is_even = widest * pes.size() <= needed + needed / 4;
  if (is_even) {
    stride_ = widest;
    prefetched_ = widest <= kMostPrefetched ? widest : 0;  // else who knows which
  }
  std::uint32_t next = 0;
  for (const PeId id : loaded.placed()) {
    if (!pes.contains(id)) continue;
    if (is_even) next = static_cast<std::uint32_t>(pes.index(id) * stride_);
    Pe& pe = of(id);
    pe.program = loaded.program_at(id)->number;
    pe.first_count = next - map.first_row(pe.program);
    pe.places.begin_with({0, LinePlace::what_of(map.no_task(pe.program), LinePhase::NoTask), 0});
    next += map.rows(pe.program);
  }
  counts_.resize(is_even ? stride_ * pes.size() : next);
}

void LineCycles::drop_last(Pe& pe) {
  if (!pe.has_more) return pe.places.drop_last();
  More& more = more_[pe.more];
  more.places.pop_back();
  if (more.is_empty()) take_more(pe);
}

// There are others.
void LineCycles::drop_first(Pe& pe) {
  if (!pe.has_more) [[likely]]
    return pe.places.drop_first();
  More& more = more_[pe.more];
  if (pe.places.has_one()) {
    pe.places.begin_with(more.places[more.first++]);
  } else {
    pe.places.drop_first();
  }
  if (pe.places.is_alone()) take_more(pe);
}

void LineCycles::add_place(Pe& pe, const LinePlace& place) {
  if (pe.has_more || !pe.places.add(place)) [[unlikely]]
    add_more(pe, place);
}

void LineCycles::add_more(Pe& pe, const LinePlace& place) {
  if (pe.more == kNone) {
    pe.more = static_cast<std::uint32_t>(more_.size());
    more_.emplace_back();
  }
  pe.has_more = true;
  more_[pe.more].places.push_back(place);
}

// Takes as many of the places that follow as there is room for.
void LineCycles::take_more(Pe& pe) {
  More& more = more_[pe.more];
  while (!more.is_empty() && pe.places.add(more.places[more.first])) ++more.first;
  if (!more.is_empty()) return;
  more.places.clear();
  more.first = 0;
  pe.has_more = false;
}

void LineCycles::note(PeId id, std::uint32_t row, LinePhase phase, Cycle cycle) {
  Pe& pe = of(id);
  LinePlace last = last_of(pe);
  while (last.from >= cycle && (pe.has_more || !pe.places.has_one())) {
    drop_last(pe);
    last = last_of(pe);
  }
  const Cycle late = isa::mutant(isa::Mutant::LineStartsLate) && cycle > 0 ? 1 : 0;
  const LinePlace next{cycle + late, LinePlace::what_of(row, phase), 0};
  if (last.what == next.what && last.stalls == 0) return;
  if (last.from >= cycle) {  // the only one
    pe.places.begin_with({last.from, next.what, 0});
  } else {
    add_place(pe, next);
  }
}

void LineCycles::stalls(PeId id, std::uint64_t cycles) {
  Pe& pe = of(id);
  const auto stalls = static_cast<std::uint32_t>(cycles);
  if (pe.has_more) {
    more_[pe.more].places.back().stalls = stalls;
  } else {
    pe.places.set_stalls(stalls);
  }
}

// Moves the stalls of a place, which is over, to their cause.
void LineCycles::fold_stalls(const LinePlace& place) {
  if (place.stalls == 0 || isa::mutant(isa::Mutant::StallsStayIssues)) return;
  LineCauses& causes = causes_[place.row()];
  causes[static_cast<std::size_t>(LineCause::Issue)] -= place.stalls;
  causes[static_cast<std::size_t>(LineCause::Bank)] += place.stalls;
}

// Calls add(place, cycles) for each place in an interval, and drops those that end in it.
template <class Add>
void LineCycles::split(Pe& pe, Cycle from, Cycle to, Add add) {
  for (;;) {
    Cycle end = pe.places.first_ends();
    if (pe.has_more && end == kNever) end = more_[pe.more].places[more_[pe.more].first].from;
    if (end > to) break;
    const LinePlace first = pe.places.first();
    if (end > from) add(first, end - from);
    from = std::max(end, from);
    fold_stalls(first);
    drop_first(pe);
  }
  if (to == from) return;
  add(pe.places.first(), to - from);
  pe.places.is_charged_up_to(to);
}

void LineCycles::charge(PeId id, Activity activity, bool by_fifo, Cycle from, Cycle to) {
  Pe& pe = of(id);
  split(pe, from, to, [&](const LinePlace& place, Cycle cycles) {
    const std::uint32_t row = place.row();
    const LineCause cause = cause_of(place.phase(), activity, by_fifo);
    counts_.add(pe.first_count + row, cycles);
    causes_[row][static_cast<std::size_t>(cause)] += cycles;
  });
}

void LineCycles::charge_open(PeId id, Activity activity, bool by_fifo, Cycle from, Cycle to) {
  Pe& pe = of(id);
  split(pe, from, to, [&](const LinePlace& place, Cycle cycles) {
    const std::uint32_t row = place.row();
    const LineCause cause = cause_of(place.phase(), activity, by_fifo);
    counts_.add(pe.first_count + row, cycles);
    causes_[row][static_cast<std::size_t>(cause)] += cycles;
    open_.push_back({id, row, cause, cycles});
  });
}

void LineCycles::drop_open() {
  if (isa::mutant(isa::Mutant::LinesStayOpen)) return open_.clear();
  for (const Open& open : open_) {
    counts_.take_back(of(open.pe).first_count + open.row, open.cycles);
    causes_[open.row][static_cast<std::size_t>(open.cause)] -= open.cycles;
  }
  open_.clear();
}

void LineCycles::close(Cycle end) {
  for (Pe& pe : pes_) {
    if (pe.program == kNone) continue;
    const LinePlace first = pe.places.first();
    if (first.from >= end || first.stalls == 0) continue;
    fold_stalls(first);
    pe.places.set_stalls(0);
  }
}

void LineCycles::forget() {
  counts_.clear();
  std::ranges::fill(causes_, LineCauses{});
}

void LineCycles::add_to(LineTable& table) const {
  std::vector<LineRow>& rows = table.rows;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const LineCauses& causes = causes_[map_->first_row(table.program) + k];
    for (std::size_t c = 0; c < kLineCauses; ++c) rows[k].causes[c] += causes[c];
  }
  for (std::size_t index = 0; index < pes_.size(); ++index) {
    const Pe& pe = pes_[index];
    if (pe.program != table.program) continue;
    for (std::uint32_t k = 0; k < rows.size(); ++k) {
      const std::uint64_t cycles = counts_[pe.first_count + map_->first_row(pe.program) + k];
      rows[k].cycles += cycles;
      if (cycles <= rows[k].most) continue;
      rows[k].most = cycles;
      rows[k].at = range_.first + static_cast<PeId>(index);
    }
  }
}

}  // namespace wse::vm
