// Notes for people - marks and prints - in the order of machine time.
//
// Scalar code runs ahead of the clock, so a note may be taken before its cycle has come; it is kept
// until then, and dropped if the machine stops earlier. Marks that are only counted are kept as
// counts: all PEs of a wafer may pass one in one cycle.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "vm/support/time.h"

namespace wse::vm {

struct Note {
  enum class Kind : std::uint8_t { Mark, Print };
  Cycle cycle = 0;
  PeId pe = 0;
  std::uint64_t sequence = 0;  // order of notes of the same PE and cycle
  Kind kind = Kind::Print;
  std::uint32_t mark = 0;   // index of its name
  std::uint64_t count = 1;  // so many marks, of any PEs
  std::string text = {};    // of a print

  static constexpr std::size_t kLeastBytes = 29;
  // Passes all but the sequence (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive) {
    archive.number(cycle);
    archive.number(pe);
    archive.below(kind, 2);
    archive.number(mark);
    archive.number(count);
    archive.text(text);
  }
};

class Notes {
 public:
  void add(Note note) {
    note.sequence = next_++;
    waiting_.push(std::move(note));
  }

  // A mark of which nobody wants to know the PE.
  void count_mark(Cycle cycle, std::uint32_t mark) {
    if (latest_.count > 0 && latest_.cycle == cycle && latest_.mark == mark) {
      ++latest_.count;
      return;
    }
    if (latest_.count > 0) counted_.push(latest_);
    latest_ = {.cycle = cycle, .mark = mark, .count = 1};
  }

  // Counts so many marks of which nobody wants to know the PE.
  void count_marks(Cycle cycle, std::uint32_t mark, std::uint64_t count) {
    counted_.push({.cycle = cycle, .mark = mark, .count = count});
  }
  // Returns the notes whose cycles have not come; marks that are only counted have PE 0.
  std::vector<Note> waiting() const {
    std::vector<Note> notes;
    for (auto rest = counted_; !rest.empty(); rest.pop()) notes.push_back(note_of(rest.top()));
    if (latest_.count > 0) notes.push_back(note_of(latest_));
    for (auto rest = waiting_; !rest.empty(); rest.pop()) notes.push_back(rest.top());
    return notes;
  }

  // The cycle of the first; kNever if there is none.
  Cycle next() const {
    const Cycle ordered = waiting_.empty() ? kNever : waiting_.top().cycle;
    const Cycle counted = counted_.empty() ? kNever : counted_.top().cycle;
    return std::min({ordered, counted, latest_.count > 0 ? latest_.cycle : kNever});
  }

  // Calls visit(note) for all notes of cycles before `end`: the counted marks, then the others in
  // order of cycle, PE, sequence.
  template <class Visit>
  void release(Cycle end, const Visit& visit) {
    if (latest_.count > 0) counted_.push(std::exchange(latest_, {}));
    for (; !counted_.empty() && counted_.top().cycle < end; counted_.pop()) {
      visit(note_of(counted_.top()));
    }
    while (!waiting_.empty() && waiting_.top().cycle < end) {
      visit(waiting_.top());
      waiting_.pop();
    }
  }

 private:
  struct Later {
    bool operator()(const Note& a, const Note& b) const {
      if (a.cycle != b.cycle) return a.cycle > b.cycle;
      return a.pe != b.pe ? a.pe > b.pe : a.sequence > b.sequence;
    }
  };
  struct Counted {
    Cycle cycle = 0;
    std::uint32_t mark = 0;
    std::uint64_t count = 0;

    bool operator>(const Counted& other) const { return cycle > other.cycle; }
  };

  static Note note_of(const Counted& marks) {
    return {
        .cycle = marks.cycle, .kind = Note::Kind::Mark, .mark = marks.mark, .count = marks.count};
  }

  std::priority_queue<Note, std::vector<Note>, Later> waiting_;
  std::uint64_t next_ = 0;
  std::priority_queue<Counted, std::vector<Counted>, std::greater<>> counted_;
  Counted latest_;  // neighbours pass a mark one after the other
};

}  // namespace wse::vm
