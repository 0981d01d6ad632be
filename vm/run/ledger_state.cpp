// Collects the books of strips and passes them one after the other.
#include "vm/run/ledger_state.h"

#include <algorithm>
#include <utility>

#include "vm/ledger/line_cycles_state.h"

namespace wse::vm {
namespace {

LineCyclesState state_of(Strip& strip) { return LineCyclesState(*strip.ledger.lines()); }

}  // namespace

LedgerState::LedgerState(const Peers& peers) : peers_(peers), own_(peers.strips.pes()) {
  for (const auto& strip : peers.strips) {
    if (!peers.pes.contains(strip->pes.first)) continue;
    strips_.push_back(&*strip);
    activities_.push_back(strip->ledger.activity.state());
  }
  is_part_ = peers.pes.end - peers.pes.first < peers.mesh.pes();
}

LedgerSums::Kept LedgerState::kept(Cycle now) const {
  const bool has_profile = strips_.front()->ledger.profile() != nullptr;
  return {.pes = peers_.mesh.pes(),
          .marks = peers_.marks.size(),
          .rows = peers_.lines != nullptr ? state_of(*strips_.front()).causes().size() : 0,
          .has_profile = has_profile,
          .is_traced = peers_.is_traced,
          .now = now};
}

std::vector<Slices*> LedgerState::slices() const {
  std::vector<Slices*> all;
  for (Strip* const strip : strips_) {
    if (strip->ledger.slices() != nullptr) all.push_back(strip->ledger.slices());
  }
  return all;
}

template <class Archive>
void LedgerState::pass(Archive& archive, Cycle now) {
  if constexpr (!Archive::kReads) {
    collect();
    sums_.sort(kept(now));
  }
  pass_activities(archive, peers_.pes, now);
  pass_lines(archive, peers_.pes);
  sums_.pass(archive, kept(now));
  pass_slices(archive, now);
  if constexpr (Archive::kReads) {
    if (archive.ok()) archive.expect(take());
  }
}

// ---- write

// Cycles that were open when an earlier finish was the latest count.
void LedgerState::collect() {
  sums_.counters.finished(peers_.finish);
  for (const Strip* const strip : strips_) sums_.counters.add(strip->ledger.counters);
  for (std::size_t k = 0; k < strips_.size(); ++k) collect_of(*strips_[k], k);
  sums_.marks = peers_.marks;
}

void LedgerState::collect_of(Strip& strip, std::size_t k) {
  Ledger& ledger = strip.ledger;
  const ActivityLog::State& state = activities_[k];
  const bool counts = state.open_behind != sums_.counters.latest_finish;
  for (std::size_t a = 0; a < kActivities; ++a) {
    (counts ? sums_.counters.pe_cycles[a] : sums_.open[a]) += state.open[a];
  }
  if (counts) {
    if (ledger.profile() != nullptr) ledger.profile()->keep_open();
    if (ledger.lines() != nullptr) ledger.lines()->keep_open();
    if (ledger.slices() != nullptr) ledger.slices()->keep_open();
  }
  LedgerSums of_strip;
  of_strip.quiet = strip.cores->state().quiet_until();
  if (ledger.profile() != nullptr) of_strip.open_in_profile = ledger.profile()->open();
  if (peers_.lines != nullptr) {
    of_strip.causes = state_of(strip).causes();
    of_strip.open_lines = state_of(strip).open();
  }
  of_strip.notes = ledger.notes.waiting();
  sums_.add(std::move(of_strip));
}

// ---- both

template <class Archive>
void LedgerState::pass_activities(Archive& archive, const PeRange& pes, Cycle now) {
  ActivityLog::State elsewhere;
  elsewhere.pes.resize(1);
  std::size_t k = 0;  // strip
  for (PeId pe = pes.first; archive.ok() && pe < pes.end; ++pe) {
    while (k + 1 < strips_.size() && pe >= strips_[k]->pes.end) ++k;
    const bool is_here = has(pe);
    const std::size_t index = is_here ? strips_[k]->pes.index(pe) : 0;
    (is_here ? activities_[k] : elsewhere).pass(archive, index, now);
  }
}

template <class Archive>
void LedgerState::pass_lines(Archive& archive, const PeRange& pes) {
  if (peers_.lines == nullptr) return;
  const std::vector<PeId>& placed = peers_.loaded.placed();
  for (auto pe = std::ranges::lower_bound(placed, pes.first); pe != placed.end() && *pe < pes.end;
       ++pe) {
    if (!archive.ok()) return;
    archive.part(has(*pe) ? Wanted::All : Wanted::Nothing,
                 [&] { state_of(peers_.strips.of(*pe)).pass(archive, *pe); });
  }
}

template <class Archive>
void LedgerState::pass_slices(Archive& archive, Cycle now) {
  if (peers_.links == nullptr) return;
  Slices::pass(archive, slices(), SliceTiles(peers_.mesh), peers_.pes, now);
  if (Archive::kReads && is_part_) {
    LinkSlices part = *peers_.links;
    part.pass(archive, now);
    if (archive.ok()) peers_.links->add(part);
    return;
  }
  peers_.links->pass(archive, now);
  if (Archive::kReads && !peers_.takes_sums) peers_.links->forget_counts();
}

// ---- take

bool LedgerState::take() {
  for (std::size_t k = 0; k < strips_.size(); ++k) {
    Strip& strip = *strips_[k];
    const bool takes_sums = k == 0 && peers_.takes_sums;
    if (takes_sums) strip.ledger.counters = sums_.counters;
    strip.ledger.counters.finished(sums_.counters.latest_finish);
    strip.cores->state().expect_quiet(sums_.quiet);
    activities_[k].open = {};
    if (takes_sums) activities_[k].open = sums_.open;
    activities_[k].open_behind = sums_.counters.latest_finish;
    strip.ledger.activity.restore(activities_[k]);
  }
  if (peers_.takes_sums) {
    if (peers_.lines != nullptr) state_of(*strips_.front()).causes() = sums_.causes;
    LedgerSums all;
    if (is_part_) all.marks = peers_.marks;
    LedgerSums marks;
    marks.marks = sums_.marks;
    all.add(std::move(marks));
    peers_.marks = std::move(all.marks);
  }
  take_notes();
  return take_open();
}

bool LedgerState::take_open() {
  for (const PeProfile::Open& open : sums_.open_in_profile) {
    if (has(open.pe)) peers_.strips.of(open.pe).ledger.profile()->open().push_back(open);
  }
  for (const LineCycles::Open& open : sums_.open_lines) {
    if (!has(open.pe)) continue;
    LineCyclesState lines = state_of(peers_.strips.of(open.pe));
    if (!lines.has(open.pe, open.row)) return false;
    lines.open().push_back(open);
  }
  return true;
}

void LedgerState::take_notes() {
  for (Note& note : sums_.notes) {
    if (!has(note.pe)) continue;
    Ledger& to = peers_.strips.of(note.pe).ledger;
    const bool is_counted = note.kind == Note::Kind::Mark && !to.tracer.is_open();
    is_counted ? to.notes.count_marks(note.cycle, note.mark, note.count) : to.notes.add(note);
  }
}

template void LedgerState::pass(StateWriter&, Cycle);
template void LedgerState::pass(StateReader&, Cycle);
template void LedgerState::pass_activities(StateWriter&, const PeRange&, Cycle);
template void LedgerState::pass_lines(StateWriter&, const PeRange&);

}  // namespace wse::vm
