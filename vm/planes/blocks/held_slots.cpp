// Code holds slots, and lets them go.
#include "vm/planes/blocks/held_slots.h"

#include "isa/support/mutant.h"

namespace wse::vm::wafer {

void HeldSlots::hold(PeId pe, Cycle until) {
  until_[parts_.pes.index(pe)] = until;
  parts_.issue.of(pe).scalar.set(parts_.grid.lane_of(pe));
  if (!isa::mutant(isa::Mutant::SteadyHold)) parts_.rests.call(parts_.grid.block_of(pe));
  released_.add(static_cast<std::uint32_t>(parts_.pes.index(pe)), until);
}

void HeldSlots::release(Cycle now) {
  for (const std::uint32_t index : released_.take(now)) {
    const PeId pe = parts_.pes.first + index;
    if (until_[index] > now) continue;
    const std::uint32_t block = parts_.grid.block_of(pe);
    if (parts_.rests.has(block)) parts_.rests.wake(block, now);
    parts_.issue.of(pe).scalar.clear(parts_.grid.lane_of(pe));
  }
}

}  // namespace wse::vm::wafer
