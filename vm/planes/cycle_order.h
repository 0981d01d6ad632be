// The order of a cycle (invariant 5): blocks issue, then decide, then update; then steady blocks
// begin and end, threads end, and writes act.
#pragma once

#include "vm/planes/blocks/configuration.h"
#include "vm/planes/blocks/ending_threads.h"
#include "vm/planes/blocks/held_slots.h"
#include "vm/planes/blocks/passed_messages.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/blocks/router_activity.h"
#include "vm/planes/blocks/routers.h"
#include "vm/planes/blocks/slots.h"
#include "vm/planes/blocks/starting_threads.h"
#include "vm/planes/invariants.h"

namespace wse::vm::wafer {

class CycleOrder {
 public:
  struct Parts {  // all must live longer
    const Grid& grid;
    HeldSlots& held;
    StartingThreads& starting;
    Slots& slots;
    Routers& routers;
    const RouterActivity& activity;
    Configuration& configuration;
    RestingBlocks& rests;
    EndingThreads& ending;
    PassedMessages& passed;
    Invariants::Parts checked;
  };
  explicit CycleOrder(const Parts& parts) : parts_(parts), invariants_(parts.checked) {}

  // Issues, decides, and updates what is not within reach of another strip.
  void decide(Cycle now);
  // Does the rest of the cycle, when all blocks have decided, and those at borders have updated.
  void settle(Cycle now);

  // All cycles up to `now` were done by another machine, whose state this one has.
  void go_on(Cycle now) { restless_ = following_ = now + 1; }

  // The next cycle in which something moves by itself; kNever if nothing does.
  Cycle restless() const { return restless_; }
  // The cycle after the last that was done.
  Cycle following() const { return following_; }

 private:
  Parts parts_;
  Invariants invariants_;
  Cycle restless_ = kNever;
  Cycle following_ = 0;
};

}  // namespace wse::vm::wafer
