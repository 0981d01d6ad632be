// The switches that a run has left in another position than the first.
#pragma once

#include <vector>

#include "vm/ledger/record.h"
#include "vm/report/scene.h"

namespace wse::vm {

struct MovedSwitches {
  std::vector<PositionRecord> first;  // at most kMostPositions of them, by PE, then by colour
  std::uint64_t total = 0;
};

// Costs nothing where no route and no routing of the image has a second position.
MovedSwitches moved_switches(const Scene& scene);

}  // namespace wse::vm
