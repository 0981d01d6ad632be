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

std::uint32_t most_rows(const LineMap& map) {
  std::uint32_t most = 0;
  for (std::uint32_t k = 0; k < map.programs(); ++k) most = std::max(most, map.rows(k));
  return most;
}

}  // namespace

LineCycles::LineCycles(const LineMap& map, const PeRange& pes, const Loaded& loaded)
    : map_(&map),
      range_(pes),
      tags_(most_rows(map)),
      pes_(pes.size()),
      queues_(tags_.row_mask()),
      counts_(map, pes, loaded),
      causes_(map.rows()) {
  for (const PeId id : loaded.placed()) {
    if (!pes.contains(id)) continue;
    Pe& pe = of(id);
    pe.program = loaded.program_at(id)->number;
    const std::uint32_t no_task = map.rows(pe.program) - 2;
    pe.places.near.begin_with({0, tags_.tag(no_task, 0), LinePhase::NoTask});
  }
}

std::uint64_t LineCycles::stalls_of(const Pe& pe, const LinePlace& place) const {
  const std::uint32_t stalls = tags_.stalls(place.tag);
  return stalls < tags_.many() ? stalls : many_stalls_.at({index_of(pe), place.from});
}

void LineCycles::note(Pe& pe, std::uint32_t row, LinePhase phase, Cycle cycle) {
  LinePlace last = queues_.last(pe.places);
  while (last.from >= cycle && !queues_.has_one(pe.places)) {
    forget_stalls(pe, last.from);
    queues_.drop_last(pe.places);
    last = queues_.last(pe.places);
  }
  const Cycle late = isa::mutant(isa::Mutant::LineStartsLate) && cycle > 0 ? 1 : 0;
  const LinePlace next{cycle + late, tags_.tag(row, 0), phase};
  if (last.tag == next.tag && last.phase == phase) return;
  if (last.from < cycle) return queues_.add(pe.places, next);
  forget_stalls(pe, last.from);  // the only one is replaced
  enter_pending(pe, tags_.row(last.tag));
  pe.places.near.begin_with({last.from, next.tag, phase});
}

void LineCycles::enter(PeId id, const LineNote& note) {
  Pe& pe = of(id);
  const std::uint32_t rows = map_->rows(pe.program);
  switch (note.kind) {
    case LineNote::Kind::Place: return comes_to(pe, note.pc, note.phase, note.cycle);
    case LineNote::Kind::Vector: {
      comes_to(pe, note.pc, LinePhase::SetUp, note.cycle);
      const bool tells = note.noops > 0 && !isa::mutant(isa::Mutant::NoopCauses);
      if (tells) comes_to(pe, note.pc, LinePhase::Noops, note.first_issue - note.noops);
      comes_to(pe, note.pc, LinePhase::Vector, note.first_issue);
      return stalls(pe, note.stalls);
    }
    case LineNote::Kind::Stalls: return stalls(pe, note.stalls);
    case LineNote::Kind::TaskEnd: return this->note(pe, rows - 2, LinePhase::NoTask, note.cycle);
    case LineNote::Kind::Halt: return this->note(pe, rows - 1, LinePhase::Halted, note.cycle);
  }
}

void LineCycles::stalls(Pe& pe, std::uint64_t cycles) {
  const LinePlace last = queues_.last(pe.places);
  if (cycles >= tags_.many()) many_stalls_[{index_of(pe), last.from}] = cycles;
  const auto told = static_cast<std::uint32_t>(std::min<std::uint64_t>(cycles, tags_.many()));
  queues_.set_last_tag(pe.places, tags_.tag(tags_.row(last.tag), told));
}

// Moves the stalls of a place, which is over, to their cause.
void LineCycles::fold_stalls(const Pe& pe, const LinePlace& place) {
  const std::uint64_t stalls = stalls_of(pe, place);
  if (stalls == 0 || isa::mutant(isa::Mutant::StallsStayIssues)) return;
  LineCauses& here = causes(pe, tags_.row(place.tag));
  here[static_cast<std::size_t>(LineCause::Issue)] -= stalls;
  here[static_cast<std::size_t>(LineCause::Bank)] += stalls;
  forget_stalls(pe, place.from);
}

// Calls add(place, cycles) for each place in an interval, and drops those that end in it.
template <class Add>
void LineCycles::split(Pe& pe, Cycle from, Cycle to, Add add) {
  for (;;) {
    const Cycle end = queues_.first_ends(pe.places);
    if (end > to) break;
    const LinePlace first = queues_.first(pe.places);
    if (end > from) add(first, end - from);
    from = std::max(end, from);
    enter_pending(pe, tags_.row(first.tag));
    if (first.tag > tags_.row_mask()) fold_stalls(pe, first);
    queues_.drop_first(pe.places);
  }
  if (to == from) return;
  add(queues_.first(pe.places), to - from);
  pe.places.near.is_charged_up_to(to, tags_.row_mask());
}

Cycle LineCycles::charge(PeId id, Activity activity, bool by_fifo, Cycle from, Cycle to) {
  Pe& pe = of(id);
  split(pe, from, to, [&](const LinePlace& place, Cycle cycles) {
    const std::uint32_t row = tags_.row(place.tag);
    const LineCause cause = cause_of(place.phase, activity, by_fifo);
    add_pending(pe, row, cycles);
    causes(pe, row)[static_cast<std::size_t>(cause)] += cycles;
  });
  return queues_.first_ends(pe.places);
}

void LineCycles::charge_first(PeId id, Activity activity, bool by_fifo, Cycle cycles) {
  Pe& pe = of(id);
  const LinePlace place = queues_.first(pe.places);
  const std::uint32_t row = tags_.row(place.tag);
  add_pending(pe, row, cycles);
  causes(pe, row)[static_cast<std::size_t>(cause_of(place.phase, activity, by_fifo))] += cycles;
}

void LineCycles::charge_open(PeId id, Activity activity, bool by_fifo, Cycle from, Cycle to) {
  Pe& pe = of(id);
  split(pe, from, to, [&](const LinePlace& place, Cycle cycles) {
    const std::uint32_t row = tags_.row(place.tag);
    const LineCause cause = cause_of(place.phase, activity, by_fifo);
    add_pending(pe, row, cycles);
    causes(pe, row)[static_cast<std::size_t>(cause)] += cycles;
    open_.push_back({id, map_->first_row(pe.program) + row, cause, cycles});
  });
}

void LineCycles::drop_open() {
  if (isa::mutant(isa::Mutant::LinesStayOpen)) return open_.clear();
  for (const Open& open : open_) {
    Pe& pe = of(open.pe);
    enter_pending(pe, tags_.row(queues_.first(pe.places).tag));
    counts_.take_back(index_of(pe), open.row - map_->first_row(pe.program), open.cycles);
    causes_[open.row][static_cast<std::size_t>(open.cause)] -= open.cycles;
  }
  open_.clear();
}

void LineCycles::close(Cycle end) {
  for (Pe& pe : pes_) {
    if (pe.program == kNone) continue;
    const LinePlace first = queues_.first(pe.places);
    if (first.from >= end || first.tag <= tags_.row_mask()) continue;
    fold_stalls(pe, first);
    pe.places.near.set_first_tag(tags_.row(first.tag));
  }
}

void LineCycles::forget() {
  counts_.clear();
  for (Pe& pe : pes_) pe.pending = 0;
  std::ranges::fill(causes_, LineCauses{});
}

std::uint64_t LineCycles::cycles_of(const Pe& pe, std::uint32_t row) const {
  const bool is_first = pe.pending > 0 && tags_.row(queues_.first(pe.places).tag) == row;
  return counts_.at(index_of(pe), row) + (is_first ? pe.pending : 0);
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
      const std::uint64_t cycles = cycles_of(pe, k);
      rows[k].cycles += cycles;
      if (cycles <= rows[k].most) continue;
      rows[k].most = cycles;
      rows[k].at = range_.first + static_cast<PeId>(index);
    }
  }
}

}  // namespace wse::vm
