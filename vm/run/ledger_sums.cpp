// Adds, sorts and passes sums and lists.
#include "vm/run/ledger_sums.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace wse::vm {
namespace {

template <class T>
void append_all(std::vector<T>& list, std::vector<T>&& more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

bool is_mark(const Note& note) { return note.kind == Note::Kind::Mark; }

// Makes marks of one name and cycle one note.
void merge_marks(std::vector<Note>& notes) {
  std::vector<Note> merged;
  for (Note& note : notes) {
    const bool is_same = is_mark(note) && !merged.empty() && is_mark(merged.back()) &&
                         merged.back().cycle == note.cycle && merged.back().mark == note.mark;
    is_same ? void(merged.back().count += note.count) : merged.push_back(std::move(note));
  }
  notes = std::move(merged);
}

}  // namespace

void LedgerSums::add(LedgerSums&& below) {
  counters.add(below.counters);
  for (std::size_t k = 0; k < open.size(); ++k) open[k] += below.open[k];
  quiet = std::max(quiet, below.quiet);
  append_all(open_in_profile, std::move(below.open_in_profile));
  causes.resize(std::max(causes.size(), below.causes.size()));
  for (std::size_t row = 0; row < below.causes.size(); ++row) {
    for (std::size_t c = 0; c < kLineCauses; ++c) causes[row][c] += below.causes[row][c];
  }
  append_all(open_lines, std::move(below.open_lines));
  marks.resize(std::max(marks.size(), below.marks.size()));
  for (std::size_t k = 0; k < below.marks.size(); ++k) {
    marks[k].first = std::min(marks[k].first, below.marks[k].first);
    marks[k].last = std::max(marks[k].last, below.marks[k].last);
    marks[k].count += below.marks[k].count;
  }
  append_all(notes, std::move(below.notes));
}

void LedgerSums::sort(const Kept& kept) {
  std::ranges::stable_sort(open_in_profile, {}, &PeProfile::Open::pe);
  std::ranges::stable_sort(open_lines, {}, &LineCycles::Open::pe);
  if (kept.is_traced) {
    std::ranges::stable_sort(notes, {}, [](const Note& n) { return std::tuple(n.cycle, n.pe); });
    return;
  }
  std::ranges::stable_sort(notes, {}, [](const Note& n) {
    return std::tuple(!is_mark(n), n.cycle, is_mark(n) ? n.mark : n.pe);
  });
  merge_marks(notes);
}

template <class Archive>
void LedgerSums::pass(Archive& archive, const Kept& kept) {
  counters.pass(archive);
  for (std::uint64_t& cycles : open) archive.number(cycles);
  // Strips forget an end that is over when they look next, each at its own time.
  if (!Archive::kReads && quiet <= kept.now) quiet = 0;
  archive.number(quiet);
  archive.expect(is_within_reach(counters.latest_finish, kept.now) &&
                 is_within_reach(quiet, kept.now));
  if (kept.has_profile) {
    archive.list(open_in_profile, sizeof(PeId) + sizeof(Cycle) + 1, [&](PeProfile::Open& one) {
      archive.below(one.pe, kept.pes);
      archive.below(one.activity, kActivities);
      archive.number(one.cycles);
    });
  }
  if (kept.rows > 0) {
    causes.resize(kept.rows);
    for (LineCauses& of_row : causes) {
      for (std::uint64_t& cycles : of_row) archive.number(cycles);
    }
    constexpr std::size_t kLeast = 17;
    archive.list(open_lines, kLeast, [&](LineCycles::Open& one) {
      archive.below(one.pe, kept.pes);
      archive.number(one.row);
      archive.below(one.cause, kLineCauses);
      archive.number(one.cycles);
    });
  }
  marks.resize(kept.marks);
  for (MarkRecord& mark : marks) {
    archive.number(mark.first);
    archive.number(mark.last);
    archive.number(mark.count);
  }
  archive.list(notes, Note::kLeastBytes, [&](Note& note) {
    note.pass(archive);
    archive.expect(note.pe < kept.pes && note.cycle > kept.now &&
                   (note.kind == Note::Kind::Print || note.mark < kept.marks));
  });
}

template void LedgerSums::pass(StateWriter&, const Kept&);
template void LedgerSums::pass(StateReader&, const Kept&);

}  // namespace wse::vm
