// Which wavelets of a colour could move in a cycle, and what blocks them, for a block at a time.
// Must never change a plane: all routers decide with the state at the start of the cycle.
#pragma once

#include <cstdint>

#include "vm/planes/bits/router_planes.h"
#include "vm/planes/bits/steps.h"

namespace wse::vm::wafer {

// PEs with a wavelet in front of a queue that the current position takes from: one per PE at most.
struct Fronts {
  Lanes candidates;  // all of them; the others say what their wavelet is
  Lanes marked;
  Lanes hidden;
  Lanes commands;
};

// Fills in the fronts of all queues. By reference: a returned copy would cost instructions.
[[gnu::always_inline]] inline void find_fronts(const RouterPlanes& router, Fronts& fronts) {
  for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
    const PlaneQueue* const from = router.queue[port];
    if (from == nullptr) continue;
    fronts.candidates |= from->heads() & router.rx[port];
    if (!from->flags().any()) continue;
    fronts.marked |= from->flags().heads_with(LinkFlag::Marked) & router.rx[port];
    fronts.hidden |= from->flags().heads_with(LinkFlag::Hidden) & router.rx[port];
    fronts.commands |= from->flags().heads_with(LinkFlag::Command) & router.rx[port];
  }
  fronts.candidates.remove(router.torn_down);
}

// Returns the PEs of which a target is taken in this cycle, as `used` says for each, or has no
// space. `to_pe`: a wavelet would go down the ramp.
[[gnu::always_inline]] inline Lanes find_blocked(const RouterPlanes& router,
                                                 const BlockPlanes& block, const UsedPorts& used,
                                                 const Shifts& shifts, const Lanes& to_pe) {
  Lanes blocked = to_pe & used[kUpRamp];
  const PlaneQueue* const down = router.queue[kDownRamp];
  if (down != nullptr) blocked |= to_pe & down->full();
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    if (router.sent[link] == nullptr) continue;
    Lanes room = router.room_behind[link] != nullptr
                     ? read_wire(router.room_behind[link], shifts[link])
                     : Lanes{};
    if (router.leads_out) room |= block.edge[link];
    blocked |= router.tx[link] & (used[link] | inverse(room));
  }
  return blocked;
}

// Returns the PEs whose wavelets would leave the mesh.
[[gnu::always_inline]] inline Lanes find_leaving(const RouterPlanes& router,
                                                 const BlockPlanes& block, const Lanes& moved) {
  Lanes leaving;
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    leaving |= moved & router.tx[link] & block.edge[link];
  }
  return leaving;
}

}  // namespace wse::vm::wafer
