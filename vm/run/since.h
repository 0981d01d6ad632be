// The work of a machine up to a launch: it is taken off what is told after it, so that a record and
// a profile are those of one launch alone.
#pragma once

#include <vector>

#include "vm/contract/counters.h"
#include "vm/ledger/pe_profile.h"
#include "vm/strips/loads.h"

namespace wse::vm {

struct Since {
  Cycle cycle = 0;        // in which the launch acted: cycles are told from there on
  Counters counters;      // with all cycles before it charged
  ArrivedBefore arrived;  // empty: nothing was launched yet
  // By PE of the mesh, where a profile is kept.
  std::vector<PeProfile::Time> times;
  std::vector<PeProfile::Done> done;

  // The cycle as it is told; 0 if it lies before the launch.
  Cycle from_there(Cycle absolute) const { return absolute > cycle ? absolute - cycle : 0; }
};

}  // namespace wse::vm
