// Notes for people - marks and prints - in the order of machine time.
//
// Scalar code runs ahead of the clock, so a note may be taken before its cycle has come; it is kept
// until then, and dropped if the machine stops earlier.
#pragma once

#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "vm/time.h"

namespace wse::vm {

struct Note {
  enum class Kind : std::uint8_t { Mark, Print };
  Cycle cycle = 0;
  PeId pe = 0;
  std::uint64_t sequence = 0;  // order of notes of the same PE and cycle
  Kind kind = Kind::Print;
  std::uint32_t mark = 0;  // index of its name
  std::string text = {};   // of a print
};

class Notes {
 public:
  void add(Note note) {
    note.sequence = next_++;
    waiting_.push(std::move(note));
  }

  // The cycle of the first; kNever if there is none.
  Cycle next() const { return waiting_.empty() ? kNever : waiting_.top().cycle; }

  // Calls visit(note) for all notes of cycles before `end`, in order of cycle, PE, sequence.
  template <class Visit>
  void release(Cycle end, Visit visit) {
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
};

}  // namespace wse::vm
