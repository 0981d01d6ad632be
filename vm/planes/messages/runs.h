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
#pragma once

#include <cstdint>
#include <vector>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"
#include "vm/planes/messages/growing_table.h"

namespace wse::vm::wafer {

inline constexpr std::uint32_t kNone = ~0u;

struct Run {
  static constexpr std::uint64_t kOpen = ~std::uint64_t{0};

  std::uint64_t number = 0;   // of the first wavelet that it is about
  std::uint64_t end = kOpen;  // where the next run begins
  std::uint32_t next = kNone;
  std::uint32_t message = kNone;  // kNone: one control wavelet
  std::uint32_t word = 0;         // of the message, that is the first one; or the commands
  std::uint32_t hops : 31 = 0;    // links that it passed
  std::uint32_t advances : 1 =
      0;  // a control wavelet after which the switch of its sender advances

  bool is_control() const { return message == kNone; }
};

// The runs of a queue, oldest first.
struct RunList {
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
};

class Runs {
 public:
  Run& operator[](std::uint32_t index) { return runs_[index]; }
  const Run& operator[](std::uint32_t index) const { return runs_[index]; }

  void append(RunList& list, const Run& run) {
    const std::uint32_t index = take();
    runs_[index] = run;
    if (list.first == kNone) {
      list.first = index;
    } else {
      runs_[list.last].next = index;
      if (!isa::mutant(isa::Mutant::RunOpen)) runs_[list.last].end = run.number;
    }
    list.last = index;
  }
  // Removes the first run of the list, which must have one, and returns it.
  Run drop_first(RunList& list) {
    isa::check_that(list.first != kNone, "a run is removed only from a run list that has one");
    const std::uint32_t index = list.first;
    const Run run = runs_[index];
    list.first = run.next;
    if (list.first == kNone) list.last = kNone;
    free_.push_back(index);
    return run;
  }

 private:
  std::uint32_t take() {
    if (free_.empty()) return runs_.add();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }

  GrowingTable<Run> runs_;
  std::vector<std::uint32_t>
      free_;  // the latest last: a list through them would be far from caches
};

}  // namespace wse::vm::wafer
