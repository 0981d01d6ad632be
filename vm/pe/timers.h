// Timers: instructions that the transport need not see. They are the main thread's, on memory and
// scalars alone, while nothing else moves on the PE, and issue at a steady rate from their start to
// a known end:
//
//     start    set-up   | issue (stall) issue (stall) ... |  drain  | finish
//                       earliest                          drains from
//
// One that is alone is mostly not even that: scalar code passes it (passing.h). Where the machine
// stops within one that was passed, rewind.cpp starts it as a timer after all.
#pragma once

#include "vm/pe/core.h"
#include "vm/pe/core_parts.h"
#include "vm/pe/successions.h"

namespace wse::vm {

class Timers {
 public:
  // `successions` must live longer too.
  Timers(const CoreParts& parts, Successions& successions)
      : parts_(parts), successions_(successions) {}

  // Whether the instruction of the plan, which issues from cycle `earliest` on, is one.
  bool is_timer(const Core& core, const Plan& plan, Cycle earliest) const;
  // `alone`: nothing else is in flight on the PE.
  void start(PeId pe, const Core& core, InFlight& starting, Cycle earliest, bool alone);
  // Applies its elements that issue before cycle `end` and were not applied.
  void move(PeId pe, Core& core, InFlight& f, Cycle end);
  // Tells that the PE is busy with the drain of any instruction, if it has begun in cycle `now`.
  void note_drain(PeId pe, const InFlight& f, Cycle now) const;
  // Where the machine stops in cycle `last`: counts of one that stalls only the cycles that were.
  void look_at_stalls(PeId pe, const Core& core, const InFlight& timer, Cycle last);

 private:
  void tell_times(PeId pe, const InFlight& f, std::uint64_t all, std::uint64_t some);

  CoreParts parts_;
  Successions& successions_;
};

}  // namespace wse::vm
