// Notes for people - marks and prints - in the order of machine time.
//
// Scalar code runs ahead of the clock, so a note may be taken before its cycle has come; it is kept
// until then, and dropped if the machine stops earlier. Marks that are only counted are kept as
// counts: all PEs of a wafer may pass one in one cycle.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "vm/time.h"

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
};

class Notes {
 public:
  void add(Note note) {
    note.sequence = next_++;
    waiting_.push(std::move(note));
  }

  // A mark of which nobody wants to know the PE.
  void count_mark(Cycle cycle, std::uint32_t mark) { ++counted_[{cycle, mark}]; }

  // The cycle of the first; kNever if there is none.
  Cycle next() const {
    const Cycle counted = counted_.empty() ? kNever : counted_.begin()->first.first;
    return waiting_.empty() ? counted : std::min(counted, waiting_.top().cycle);
  }

  // Calls visit(note) for all notes of cycles before `end`: the counted marks, then the others in
  // order of cycle, PE, sequence.
  template <class Visit>
  void release(Cycle end, Visit visit) {
    while (!counted_.empty() && counted_.begin()->first.first < end) {
      const auto& [key, count] = *counted_.begin();
      visit({.cycle = key.first, .kind = Note::Kind::Mark, .mark = key.second, .count = count});
      counted_.erase(counted_.begin());
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
  std::priority_queue<Note, std::vector<Note>, Later> waiting_;
  std::uint64_t next_ = 0;
  std::map<std::pair<Cycle, std::uint32_t>, std::uint64_t> counted_;  // by cycle and mark
};

}  // namespace wse::vm
