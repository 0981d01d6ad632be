// Work that cores may leave unfinished when nothing moves any more.
//
// A run that ends with more than this has not halted: it is deadlocked.
#pragma once

#include "vm/pe/core_table.h"

namespace wse::vm {

// The cores as they stand in a cycle `now`.
class Standstill {
 public:
  // Both must live longer.
  Standstill(const CoreTable& cores, const Transport& transport)
      : cores_(cores), transport_(transport) {}

  // Words of these colours, as bits, come from open streams: a receive waits for what a host may
  // never send.
  void expect_streams(std::uint32_t colours) { open_colours_ = colours; }

  // Whether the PE has no unfinished work.
  bool is_done(PeId pe, Cycle now) const;
  bool all_done(Cycle now) const;
  // The first local task of the PE that is activated and not blocked, by its id; kNoTask if there
  // is none.
  std::uint32_t ready_task(PeId pe) const;
  // Whether the thread waits for work only: it is no reason that the PE is not done.
  bool serves(ThreadId thread, Cycle now) const;

 private:
  // Whether the instruction in flight may stay unfinished when the run ends.
  bool may_stay(PeId pe, const Core& core, const InFlight& f, Cycle now) const;
  bool waits_for_stream(const InFlight& f) const;

  const CoreTable& cores_;
  const Transport& transport_;
  std::uint32_t open_colours_ = 0;
};

}  // namespace wse::vm
