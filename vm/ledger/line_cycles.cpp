// Places of a PE wait until the clock has passed them; then they are cycles.
#include "vm/ledger/line_cycles.h"

#include <algorithm>
#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

LineCause cause_of(LinePhase phase, Activity activity) {
  if (phase == LinePhase::NoTask) return LineCause::NoTask;
  if (phase == LinePhase::Halted) return LineCause::Halted;
  switch (activity) {
    case Activity::MemoryStall: return LineCause::Bank;
    case Activity::WaitOutput: return LineCause::Output;
    case Activity::WaitInput: return LineCause::Input;
    case Activity::Idle: return LineCause::Thread;
    case Activity::Busy: break;
  }
  switch (phase) {
    case LinePhase::TaskStart: return LineCause::TaskStart;
    case LinePhase::SetUp: return LineCause::SetUp;
    case LinePhase::Vector: return LineCause::Issue;
    case LinePhase::Thread: return LineCause::Thread;
    default: return LineCause::Scalar;
  }
}

}  // namespace

LineCycles::LineCycles(const LineMap& map, const PeRange& pes, const Loaded& loaded)
    : map_(&map), range_(pes), pes_(pes.size()), causes_(map.rows()) {
  std::uint32_t next = 0;
  for (const PeId id : loaded.placed()) {
    if (!pes.contains(id)) continue;
    Pe& pe = of(id);
    pe.program = loaded.program_at(id)->number;
    pe.first_count = next;
    pe.count = 1;
    pe.at(0).what = Place::what_of(map.no_task(pe.program), LinePhase::NoTask);
    next += map.rows(pe.program);
  }
  counts_.resize(next);
}

LineCycles::Place& LineCycles::last_of(Pe& pe) {
  return has_more(pe) ? more_[pe.more].places.back() : pe.at(pe.count - std::size_t{1});
}

void LineCycles::drop_last(Pe& pe) {
  if (has_more(pe)) return more_[pe.more].places.pop_back();
  --pe.count;
}

void LineCycles::add_place(Pe& pe, const Place& place) {
  if (pe.count < kKept && !has_more(pe)) {
    pe.at(pe.count++) = place;
    return;
  }
  if (pe.more == kNone) {
    pe.more = static_cast<std::uint32_t>(more_.size());
    more_.emplace_back();
  }
  more_[pe.more].places.push_back(place);
}

void LineCycles::drop_first(Pe& pe) {
  fold_stalls(pe);
  pe.first = static_cast<std::uint16_t>((std::size_t{pe.first} + 1) % kKept);
  --pe.count;
  if (!has_more(pe)) return;
  More& more = more_[pe.more];
  while (pe.count < kKept && !more.is_empty()) pe.at(pe.count++) = more.places[more.first++];
  if (!more.is_empty()) return;
  more.places.clear();
  more.first = 0;
}

void LineCycles::note(PeId id, std::uint32_t row, LinePhase phase, Cycle cycle) {
  Pe& pe = of(id);
  while ((pe.count > 1 || has_more(pe)) && last_of(pe).from >= cycle) drop_last(pe);
  Place& last = last_of(pe);
  const Cycle late = isa::mutant(isa::Mutant::LineStartsLate) && cycle > 0 ? 1 : 0;
  const Place next{cycle + late, Place::what_of(row, phase), 0};
  if (last.what == next.what && last.stalls == 0) return;
  if (last.from >= cycle) {  // the only one
    last = {last.from, next.what, 0};
  } else {
    add_place(pe, next);
  }
}

void LineCycles::stalls(PeId pe, std::uint64_t cycles) {
  last_of(of(pe)).stalls = static_cast<std::uint32_t>(cycles);
}

// Moves the stalls of the first place, which is over, to their cause.
void LineCycles::fold_stalls(Pe& pe) {
  Place& first = pe.at(0);
  const std::uint32_t stalls = std::exchange(first.stalls, 0);
  if (stalls == 0 || isa::mutant(isa::Mutant::StallsStayIssues)) return;
  LineCauses& causes = causes_[first.row()];
  causes[static_cast<std::size_t>(LineCause::Issue)] -= stalls;
  causes[static_cast<std::size_t>(LineCause::Bank)] += stalls;
}

// Calls add(place, cycles) for each place in an interval, and drops those that end in it.
template <class Add>
void LineCycles::split(Pe& pe, Cycle from, Cycle to, Add add) {
  while (pe.count > 1 && pe.at(1).from <= to) {
    const Cycle end = std::max(pe.at(1).from, from);
    if (end > from) add(pe.at(0), end - from);
    from = end;
    drop_first(pe);
  }
  if (to > from) add(pe.at(0), to - from);
}

void LineCycles::charge(PeId id, Activity activity, Cycle from, Cycle to) {
  Pe& pe = of(id);
  split(pe, from, to, [&](const Place& place, Cycle cycles) {
    const LineCause cause = cause_of(place.phase(), activity);
    counts_[count_of(pe, place.row())] += cycles;
    causes_[place.row()][static_cast<std::size_t>(cause)] += cycles;
  });
}

void LineCycles::charge_open(PeId id, Activity activity, Cycle from, Cycle to) {
  Pe& pe = of(id);
  split(pe, from, to, [&](const Place& place, Cycle cycles) {
    const LineCause cause = cause_of(place.phase(), activity);
    const std::uint32_t count = count_of(pe, place.row());
    counts_[count] += cycles;
    causes_[place.row()][static_cast<std::size_t>(cause)] += cycles;
    open_.push_back({count, place.row(), cause, cycles});
  });
}

void LineCycles::drop_open() {
  if (isa::mutant(isa::Mutant::LinesStayOpen)) return open_.clear();
  for (const Open& open : open_) {
    counts_[open.count] -= open.cycles;
    causes_[open.row][static_cast<std::size_t>(open.cause)] -= open.cycles;
  }
  open_.clear();
}

void LineCycles::close(Cycle end) {
  for (Pe& pe : pes_) {
    if (pe.program != kNone && pe.at(0).from < end) fold_stalls(pe);
  }
}

void LineCycles::forget() {
  std::ranges::fill(counts_, 0);
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
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::uint64_t cycles = counts_[pe.first_count + k];
      rows[k].cycles += cycles;
      if (cycles <= rows[k].most) continue;
      rows[k].most = cycles;
      rows[k].at = range_.first + static_cast<PeId>(index);
    }
  }
}

}  // namespace wse::vm
