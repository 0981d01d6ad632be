// Where a stretch came to, instruction by instruction, for those who count cycles of lines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wse::vm {

class StretchNotes {
 public:
  // Times are cycles from the start of the stretch on.
  struct Note {
    std::uint32_t pc = 0;
    bool is_vector = false;         // that was passed:
    std::uint64_t begin = 0;        // it sets up from here on,
    std::uint64_t first_issue = 0;  // issues from here on,
    std::uint64_t stalls = 0;       // and stalls for so many of its cycles
  };

  void clear() {
    notes_.clear();
    stalls_ = 0;
  }
  void comes_to(std::uint32_t pc, std::uint64_t begin) {
    notes_.push_back({.pc = pc, .begin = begin});
  }
  // The instruction that the stretch came to last is one of vectors, and was passed. `stalls` are
  // those of the whole stretch.
  void passes(std::uint64_t first_issue, std::uint64_t stalls) {
    Note& note = notes_.back();
    note.is_vector = true;
    note.first_issue = first_issue;
    note.stalls = stalls - stalls_;
    stalls_ = stalls;
  }
  std::span<const Note> notes() const { return notes_; }

 private:
  std::vector<Note> notes_;
  std::uint64_t stalls_ = 0;
};

}  // namespace wse::vm
