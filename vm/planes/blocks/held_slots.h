// Compute slots that code holds: scalar instructions keep the main thread's slot for some cycles,
// and nothing issues in it before they let it go.
#pragma once

#include <vector>

#include "isa/support/mutant.h"
#include "vm/planes/bits/due_list.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/blocks/resting_blocks.h"

namespace wse::vm::wafer {

class HeldSlots {
 public:
  struct Parts {  // all must live longer
    PeRange pes;  // of the strip
    const Grid& grid;
    IssueTable& issue;
    RestingBlocks& rests;
  };
  explicit HeldSlots(const Parts& parts) : parts_(parts), until_(parts.pes.size()) {}

  // Code of the PE holds its slot before cycle `until`.
  void hold(PeId pe, Cycle until) {
    until_[parts_.pes.index(pe)] = until;
    parts_.issue.of(pe).scalar.set(parts_.grid.lane_of(pe));
    if (!isa::mutant(isa::Mutant::SteadyHold)) parts_.rests.call(parts_.grid.block_of(pe));
    released_.add(static_cast<std::uint32_t>(parts_.pes.index(pe)), until);
  }
  // Returns whether a bank conflict holds the slot in this cycle.
  bool has_conflict(PeId pe) const {
    return parts_.issue.of(pe).held[0].has(parts_.grid.lane_of(pe));
  }

  // Returns up to which cycle code of the PE holds its slot; 0: it does not.
  Cycle held_until(PeId pe) const {
    const bool holds = parts_.issue.of(pe).scalar.has(parts_.grid.lane_of(pe));
    return holds ? until_[parts_.pes.index(pe)] : 0;
  }

  // The first cycle in which code lets a slot go.
  Cycle next() const { return released_.next(); }
  // Lets go what is held up to this cycle.
  void release(Cycle now) {
    for (const std::uint32_t index : released_.take(now)) {
      const PeId pe = parts_.pes.first + index;
      if (until_[index] > now) continue;
      const std::uint32_t block = parts_.grid.block_of(pe);
      if (parts_.rests.has(block)) parts_.rests.wake(block, now);
      parts_.issue.of(pe).scalar.clear(parts_.grid.lane_of(pe));
    }
  }

 private:
  Parts parts_;
  std::vector<Cycle> until_;  // by PE
  DueList released_;          // PEs of the strip
};

}  // namespace wse::vm::wafer
