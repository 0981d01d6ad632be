// Which words are in a queue. The planes only count wavelets; a trail says of which train they
// are, from which of its words on:
//
//     train   | w0 w1 w2 w3 w4 w5 ... |           the words of one send, made once, in one place
//
//     queue      number 17 18 19 20 21 ...        of all wavelets that ever came
//     trail      {17..19: train A, word 2}  {20: a control wavelet}  {21..: train B, word 0}
//
// A record is written when the first wavelet of a run comes, and stays until the last word of the
// train leaves or a later record begins.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"
#include "vm/planes/messages/growing_table.h"

namespace wse::vm::wafer {

inline constexpr std::uint32_t kNone = ~0u;

struct Record {
  static constexpr std::uint64_t kOpen = ~std::uint64_t{0};

  std::uint64_t number = 0;   // of the first wavelet that it is about
  std::uint64_t end = kOpen;  // where the next record begins
  std::uint32_t next = kNone;
  std::uint32_t train = kNone;  // kNone: one control wavelet
  std::uint32_t word = 0;       // of the train, that is the first one; or the commands
  std::uint32_t hops : 31 = 0;  // links that it passed
  std::uint32_t advances : 1 =
      0;  // a control wavelet after which the switch of its sender advances

  bool is_control() const { return train == kNone; }
};

// The records of a queue, oldest first.
struct Trail {
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
};

class Records {
 public:
  Record& operator[](std::uint32_t index) { return records_[index]; }
  const Record& operator[](std::uint32_t index) const { return records_[index]; }

  void append(Trail& trail, const Record& record) {
    const std::uint32_t index = take();
    records_[index] = record;
    if (trail.first == kNone) {
      trail.first = index;
    } else {
      records_[trail.last].next = index;
      if (!isa::mutant(isa::Mutant::RunOpen)) records_[trail.last].end = record.number;
    }
    trail.last = index;
  }
  // Removes the first record of the trail, which must have one, and returns it.
  Record drop_first(Trail& trail) {
    isa::check_that(trail.first != kNone, "a record is removed only from a trail that has one");
    const std::uint32_t index = trail.first;
    const Record record = records_[index];
    trail.first = record.next;
    if (trail.first == kNone) trail.last = kNone;
    free_.push_back(index);
    return record;
  }

 private:
  std::uint32_t take() {
    if (free_.empty()) return records_.add();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }

  GrowingTable<Record> records_;
  std::vector<std::uint32_t>
      free_;  // the latest last: a list through them would be far from caches
};

}  // namespace wse::vm::wafer
