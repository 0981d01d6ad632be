// Passes the books one after the other.
#include "vm/run/ledger_state.h"

#include <algorithm>
#include <utility>

#include "vm/ledger/line_cycles_state.h"

namespace wse::vm {
namespace {

MarkRecord joined(const MarkRecord& a, const MarkRecord& b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last), a.count + b.count};
}

LineCyclesState state_of(Strip& strip) { return LineCyclesState(*strip.ledger.lines()); }

}  // namespace

LedgerState::LedgerState(const Peers& peers) : peers_(peers) {
  for (const auto& strip : peers.strips) {
    if (peers.pes.contains(strip->pes.first)) strips_.push_back(&*strip);
  }
  is_part_ = peers.pes.end - peers.pes.first < peers.mesh.pes();
}

template <class Archive>
void LedgerState::pass(Archive& archive, Cycle now) {
  pass_activities(archive, now);
  pass_profile(archive);
  pass_lines(archive);
  pass_slices(archive, now);
  pass_notes(archive, now);
}

template <class Entry, class List>
std::vector<Entry> LedgerState::all_of(List list) const {
  std::vector<Entry> all;
  for (Strip* const strip : strips_) {
    if (const std::vector<Entry>* const some = list(strip->ledger)) {
      all.insert(all.end(), some->begin(), some->end());
    }
  }
  return all;
}

// Activities of PEs, and counters. What was open when an earlier finish was the latest counts.
template <class Archive>
void LedgerState::pass_activities(Archive& archive, Cycle now) {
  Counters counters;
  for (const Strip* const strip : strips_) counters.add(strip->ledger.counters);
  std::array<std::uint64_t, kActivities> open = {};
  Cycle quiet = 0;
  for (Strip* const strip : strips_) {
    Ledger& ledger = strip->ledger;
    ActivityLog::State state = ledger.activity.state();
    const bool counts = state.open_behind != counters.latest_finish;
    for (std::size_t k = 0; k < kActivities; ++k) {
      (counts ? counters.pe_cycles[k] : open[k]) += state.open[k];
    }
    if (counts) {
      if (ledger.profile() != nullptr) ledger.profile()->keep_open();
      if (ledger.lines() != nullptr) ledger.lines()->keep_open();
      if (ledger.slices() != nullptr) ledger.slices()->keep_open();
    }
    for (std::size_t k = 0; archive.ok() && k < state.pes.size(); ++k) state.pass(archive, k, now);
    if constexpr (Archive::kReads) ledger.activity.restore(state);
    quiet = std::max(quiet, strip->cores->state().quiet_until());
  }
  counters.pass(archive);
  for (std::uint64_t& cycles : open) archive.number(cycles);
  archive.number(quiet);
  archive.expect(is_within_reach(counters.latest_finish, now) && is_within_reach(quiet, now));
  if constexpr (Archive::kReads) take_sums(counters, open, quiet);
}

void LedgerState::take_sums(const Counters& counters,
                            const std::array<std::uint64_t, kActivities>& open, Cycle quiet) {
  strips_.front()->ledger.counters = counters;
  for (Strip* const strip : strips_) {
    strip->ledger.counters.finished(counters.latest_finish);
    strip->cores->state().expect_quiet(quiet);
    ActivityLog::State state = strip->ledger.activity.state();
    state.open = strip == strips_.front() ? open : std::array<std::uint64_t, kActivities>{};
    state.open_behind = counters.latest_finish;
    strip->ledger.activity.restore(state);
  }
}

// What a profile has of PEs is passed with them; this is what is open.
template <class Archive>
void LedgerState::pass_profile(Archive& archive) {
  if (strips_.front()->ledger.profile() == nullptr) return;
  std::vector<PeProfile::Open> all;
  if constexpr (!Archive::kReads) {
    all = all_of<PeProfile::Open>([](Ledger& ledger) { return &ledger.profile()->open(); });
  }
  archive.list(all, sizeof(PeId) + sizeof(Cycle) + 1, [&](PeProfile::Open& open) {
    archive.below(open.pe, peers_.mesh.pes());
    archive.below(open.activity, kActivities);
    archive.number(open.cycles);
    if constexpr (Archive::kReads) {
      if (archive.ok()) peers_.strips.of(open.pe).ledger.profile()->open().push_back(open);
    }
  });
}

template <class Archive>
void LedgerState::pass_lines(Archive& archive) {
  if (peers_.lines == nullptr) return;
  for (const PeId pe : peers_.loaded.placed()) {
    if (archive.ok() && peers_.pes.contains(pe)) state_of(peers_.strips.of(pe)).pass(archive, pe);
  }
  std::vector<LineCauses>& first = state_of(*strips_.front()).causes();
  for (std::size_t row = 0; row < first.size(); ++row) {
    LineCauses sum = {};
    for (Strip* const strip : strips_) {
      const LineCauses& causes = state_of(*strip).causes()[row];
      for (std::size_t c = 0; c < kLineCauses; ++c) sum[c] += causes[c];
    }
    for (std::uint64_t& cycles : sum) archive.number(cycles);
    if constexpr (Archive::kReads) first[row] = sum;
  }
  pass_open_lines(archive);
}

template <class Archive>
void LedgerState::pass_open_lines(Archive& archive) {
  std::vector<LineCycles::Open> all;
  if constexpr (!Archive::kReads) {
    all = all_of<LineCycles::Open>(
        [](Ledger& ledger) { return &LineCyclesState(*ledger.lines()).open(); });
  }
  constexpr std::size_t kLeast = 17;
  archive.list(all, kLeast, [&](LineCycles::Open& open) {
    archive.below(open.pe, peers_.mesh.pes());
    archive.number(open.row);
    archive.below(open.cause, kLineCauses);
    archive.number(open.cycles);
    LineCyclesState lines = state_of(peers_.strips.of(open.pe));
    archive.expect(lines.has(open.pe, open.row));
    if constexpr (Archive::kReads) {
      if (archive.ok()) lines.open().push_back(open);
    }
  });
}

template <class Archive>
void LedgerState::pass_slices(Archive& archive, Cycle now) {
  if (peers_.links == nullptr) return;
  std::vector<Slices*> strips;
  for (Strip* const strip : strips_) strips.push_back(strip->ledger.slices());
  Slices::pass(archive, strips, SliceTiles(peers_.mesh), now);
  if (!Archive::kReads || !is_part_) return peers_.links->pass(archive, now);
  LinkSlices part = *peers_.links;
  part.pass(archive, now);
  if (archive.ok()) peers_.links->add(part);
}

// Marks that were passed, and notes whose cycles have not come.
template <class Archive>
void LedgerState::pass_notes(Archive& archive, Cycle now) {
  for (MarkRecord& mark : peers_.marks) {
    MarkRecord part = mark;
    archive.number(part.first);
    archive.number(part.last);
    archive.number(part.count);
    if (Archive::kReads && is_part_) part = joined(mark, part);
    mark = part;
  }
  std::vector<Note> notes;
  if constexpr (!Archive::kReads) {
    for (Strip* const strip : strips_) {
      for (Note& note : strip->ledger.notes.waiting()) notes.push_back(std::move(note));
    }
  }
  archive.list(notes, Note::kLeastBytes, [&](Note& note) {
    note.pass(archive);
    archive.expect(note.pe < peers_.mesh.pes());
    archive.expect(note.cycle > now &&
                   (note.kind == Note::Kind::Print || note.mark < peers_.marks.size()));
    if constexpr (Archive::kReads) {
      if (!archive.ok()) return;
      Ledger& to = peers_.strips.of(note.pe).ledger;
      const bool is_counted = note.kind == Note::Kind::Mark && !to.tracer.is_open();
      is_counted ? to.notes.count_marks(note.cycle, note.mark, note.count) : to.notes.add(note);
    }
  });
}

template void LedgerState::pass(StateWriter&, Cycle);
template void LedgerState::pass(StateReader&, Cycle);

}  // namespace wse::vm
