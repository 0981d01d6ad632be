// The FIFOs of the PEs of a strip: which of their elements have been applied, and what must come
// before others.
//
// Planes decide when an element goes in or out (fifo_planes.h); values follow in ranges (words.h).
// So an element must be in its place before it is taken, and taken before another one gets that
// place:
//
//     elements that ever came    0 1 2 3 | 4 5 6 7 8 9 ...      a FIFO of 4
//     popped and applied         . .
//     pushed and applied         . . . . . .                    0..5: no further before 2 is popped
//
// Must never be asked for elements that have not issued.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vm/contract/boundary.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/threads.h"
#include "vm/support/pe_range.h"

namespace wse::vm::wafer {

class Fifos {
 public:
  // `threads` must stay.
  Fifos(const PeRange& pes, const Threads& threads) : pes_(pes), threads_(threads) {}

  // ---- before the first cycle
  // The FIFOs of the PE, by number.
  void set(PeId pe, const std::vector<std::uint32_t>& capacities);
  // Their planes.
  void open(const Grid& grid, IssueTable& issue) const;

  // ---- the state of another machine
  // The FIFO has so many elements, and so many found no place; the threads that use it know what
  // they have applied.
  void begin_with(PeId pe, std::uint32_t number, std::uint32_t level, std::uint64_t refused);
  std::uint64_t capacity(PeId pe, std::uint32_t number) const { return fifo(pe, number).capacity; }

  // ---- threads, by index, whose flows use FIFOs
  void begin(std::uint32_t thread);
  // It has moved so many elements, all of which are applied.
  void end(std::uint32_t thread, std::uint64_t elements);
  // Counts elements of an instruction that did not wait and found no place.
  void refuse(const Thread& thread, std::uint64_t elements) {
    fifo(thread.pe, thread.flow->fifo_out).refused += elements;
  }
  std::uint64_t refused(PeId pe, std::uint32_t number) const { return fifo(pe, number).refused; }

  // How many the PE has.
  std::uint32_t count(PeId pe) const { return own_.empty() ? 0 : own_[pes_.index(pe)].count; }

  // Elements that a thread must have applied.
  struct Need {
    std::uint32_t thread = kNone;
    std::uint64_t elements = 0;
  };
  // Cuts `count`, the next elements of the thread, to those that can be applied now, at least one;
  // or returns what must be applied before.
  std::optional<Need> limit(const Thread& thread, std::uint64_t& count) const;

 private:
  struct Fifo {
    std::uint64_t capacity = 0;  // elements
    std::uint64_t pushed = 0;    // by instructions that have ended
    std::uint64_t popped = 0;
    std::uint64_t refused = 0;
    std::uint32_t pusher = kNone;  // the thread that moves now
    std::uint32_t popper = kNone;
  };
  const Fifo& fifo(PeId pe, std::uint32_t number) const {
    return fifos_[own_[pes_.index(pe)].first + number];
  }
  Fifo& fifo(PeId pe, std::uint32_t number) { return fifos_[own_[pes_.index(pe)].first + number]; }

  PeRange pes_;
  const Threads& threads_;
  // The FIFOs of a PE, of all: its FIFO 0, and how many follow.
  struct Own {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  std::vector<Own> own_;  // by PE; empty if no PE has any
  std::vector<Fifo> fifos_;
};

}  // namespace wse::vm::wafer
