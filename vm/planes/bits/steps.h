// The steps of every cycle, for a block at a time: the loops in which a run spends its time,
// compiled for several levels of the host and chosen once, when a process starts.
#pragma once

#include <array>

#include "vm/planes/bits/router_planes.h"
#include "vm/planes/bits/thread_planes.h"

namespace wse::vm::wafer {

// Between levels lanes pass by reference only: how they pass by value depends on the level.

// The shifts to the neighbours.
using Shifts = std::array<Shift, kLinks>;

// Moves of a cycle that are more than planes: whoever moves lanes of a kind looks at them one by
// one.
struct Moves {
  enum class Kind : std::uint8_t {
    Marked,   // need a look of their own
    Leaving,  // would leave the grid
    Dropped,  // from down-ramps: nobody wants it
    Turned,   // filters that have seen the last word of their turn
    ToTask,   // what comes into the down-ramp may start a task
  };
  static constexpr std::uint32_t kKinds = 5;

  bool any = false;  // something moved
  // Links, as bits.
  std::uint32_t sending = 0;
  std::uint32_t changed = 0;  // not the same PEs send as in the cycle before

  void clear() {
    any = false;
    sending = changed = kinds_ = 0;
  }
  [[gnu::always_inline]] void set(Kind kind, const Lanes& lanes) {
    if (!lanes.any()) return;
    kinds_ |= 1u << index(kind);
    lanes_[index(kind)] = lanes;
  }
  bool has(Kind kind) const { return (kinds_ >> index(kind) & 1) != 0; }
  // Only where it has some.
  const Lanes& lanes(Kind kind) const { return lanes_[index(kind)]; }
  // Something has to be done beyond planes.
  bool matters() const { return any || (kinds_ | sending | changed) != 0; }

 private:
  static constexpr std::uint32_t index(Kind kind) { return static_cast<std::uint32_t>(kind); }

  std::uint32_t kinds_ = 0;  // as bits
  std::array<Lanes, kKinds> lanes_;
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
