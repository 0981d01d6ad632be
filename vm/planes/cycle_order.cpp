// Blocks one after the other, so that the planes of a block come into a cache once per cycle.
#include "vm/planes/cycle_order.h"

#include <algorithm>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"

namespace wse::vm::wafer {

// Blocks one after the other: threads issue, routers decide; and once all neighbours of a block
// have decided its queues take and give, while its planes are still in a cache.
void CycleOrder::decide(Cycle now) {
  parts_.rests.open(now);
  parts_.held.release(now);
  parts_.starting.start(now);
  parts_.slots.open();
  parts_.routers.open();
  const std::uint32_t blocks = parts_.grid.blocks();
  for (std::uint32_t block = 0;; ++block) {
    const std::uint32_t issues = parts_.slots.next_active(block);
    const std::uint32_t decides = parts_.activity.next_awake(block);
    block = std::min(issues, decides);
    if (block >= blocks) break;
    const std::uint32_t reach = isa::mutant(isa::Mutant::UpdateEarly) ? 0 : parts_.grid.reach();
    if (block > reach) parts_.routers.update_before(block - reach);
    if (block == issues) parts_.slots.issue_block(block, now);
    if (block == decides) parts_.routers.decide_block(block, now);
  }
  parts_.routers.update_before(blocks);
}

// The rest of a cycle: words are made, threads end.
void CycleOrder::settle(Cycle now) {
  parts_.routers.close(now);
  isa::check_that(parts_.routers.is_closed(),
                  "vm/planes 5: threads end after all queues have updated");
  parts_.ending.finish(now);
  parts_.passed.make_room(now);
  isa::check_that(parts_.routers.is_closed(),
                  "vm/planes 5: writes act after all queues have updated");
  const bool wrote = parts_.configuration.apply(now);
  const bool restless = wrote || parts_.slots.is_restless() || parts_.routers.is_restless();
  restless_ = restless ? now + 1 : parts_.rests.next(now);
  following_ = now + 1;
  if constexpr (isa::kIsChecked) invariants_.check(now);
}

}  // namespace wse::vm::wafer
