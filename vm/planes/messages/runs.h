// Which words are in a queue. The planes only count wavelets; a run list says of which message they
// are, from which of its words on:
//
//     message   | w0 w1 w2 w3 w4 w5 ... |         the words of one send, made once, in one place
//
//     queue     number 17 18 19 20 21 ...         of all wavelets that ever came
//     run list  {17..19: message A, word 2}  {20: a control wavelet}  {21..: message B, word 0}
//
// A run is written when its first wavelet comes, and stays until the last word of the message
// leaves or a later run begins.
//
// Lanes of a block whose run lists go on alike share their runs. So a run is in as many lists as it
// has lanes, and all runs after it are in these lists, too.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"
#include "vm/planes/messages/growing_table.h"

namespace wse::vm::wafer {

inline constexpr std::uint32_t kNone = ~0u;

// Moves wait for runs, of which large meshes have more than caches hold: two fill a line of them.
struct alignas(32) Run {
  static constexpr std::uint32_t kMostLists = (1u << 15) - 1;

  std::uint64_t number = 0;  // of the first wavelet that it is about
  std::uint32_t end = 0;     // where the next run begins, if there is one: its low bits
  std::uint32_t next = kNone;
  std::uint32_t message = kNone;   // kNone: one control wavelet
  std::uint32_t word = 0;          // of the message, that is the first one; or the commands
  std::uint32_t hops : 30 = 0;     // links that it passed
  std::uint32_t is_whole : 1 = 0;  // its only word is the only one of the message
  std::uint32_t advances : 1 =
      0;                          // a control wavelet after which the switch of its sender advances
  std::uint16_t lists : 15 = 1;   // that it is in, of as many lanes of the queue
  std::uint16_t is_long : 1 = 0;  // the next run begins too far away for `end`
  std::int16_t shift = 0;  // from the lane of the sender, which names a row, to the lane here

  bool is_control() const { return message == kNone; }
};
static_assert(sizeof(Run) == 32);

// The runs of a queue, oldest first.
struct RunList {
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
};

class Runs {
 public:
  Run& operator[](std::uint32_t index) { return runs_[index]; }
  const Run& operator[](std::uint32_t index) const { return runs_[index]; }

  // Where the next run begins; kNoEnd: there is none.
  static constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};
  std::uint64_t end_of(const Run& run) const {
    if (run.next == kNone) return kNoEnd;
    if (run.is_long != 0) return runs_[run.next].number;
    return run.number + (run.end - static_cast<std::uint32_t>(run.number));
  }

  // Runs that ever were at a time; some may be free.
  std::size_t size() const { return runs_.size(); }

  // Takes a place for the run, which is in no list yet.
  std::uint32_t take(const Run& run) {
    const std::uint32_t index = free_.empty() ? runs_.add() : free_.back();
    if (!free_.empty()) free_.pop_back();
    runs_[index] = run;
    return index;
  }
  // Lets a run, the last of its lists, be followed by another one. It is far from caches, so it is
  // written, and not read where numbers are small.
  void follow(std::uint32_t last, std::uint32_t next) {
    Run& run = runs_[last];
    const std::uint64_t end = runs_[next].number;
    run.next = next;
    run.end = static_cast<std::uint32_t>(end);
    if (end > kMostEnd && end - run.number > kMostEnd) run.is_long = 1;
    if (isa::mutant(isa::Mutant::RunOpen)) run.end = static_cast<std::uint32_t>(run.number) - 1;
  }
  // Takes the run, which must be there, out of so many lists whose first one it is. Returns what it
  // held, which is to be released: its message if it is in no list any more, or else kNone.
  std::uint32_t leave(std::uint32_t index, std::uint32_t lists) {
    isa::check_that(index != kNone, "a run is removed only from a run list that has one");
    Run& run = runs_[index];
    run.lists = (run.lists - lists) & Run::kMostLists;
    if (run.lists > 0) return kNone;
    free_.push_back(index);
    return run.message;
  }

 private:
  static constexpr std::uint64_t kMostEnd = ~std::uint32_t{0};

  GrowingTable<Run> runs_;
  std::vector<std::uint32_t>
      free_;  // the latest last: a list through them would be far from caches
};

}  // namespace wse::vm::wafer
