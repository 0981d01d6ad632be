// What happens in every cycle, for a block at a time: the loops in which a run spends its time,
// compiled for several levels of the host and chosen once, when a process starts.
#pragma once

#include <array>

#include "vm/wafer/router_planes.h"
#include "vm/wafer/thread_planes.h"

namespace wse::vm::wafer {

// Between levels lanes pass by reference only: how they pass by value depends on the level.

// The shifts to the neighbours.
using Shifts = std::array<Shift, kLinks>;

struct Moves {
  Lanes moved;
  Lanes marked;   // of these, what needs a look of its own
  Lanes leaving;  // would leave the grid
  Lanes dropped;  // from down-ramps: nobody wants it
  Lanes turned;   // filters that have seen the last word of their turn
};

struct Steps {
  // Threads issue what they can. True if one did.
  bool (*issue)(IssuePlanes& issue);
  // Routers decide, with the state at the start of the cycle.
  void (*decide)(RouterPlanes& router, BlockPlanes& block, const Shifts& shifts, Moves& moves);
  // Queues take and give.
  void (*update)(RouterPlanes& router, const Shifts& shifts);
};

// For this host.
const Steps& steps();

}  // namespace wse::vm::wafer
