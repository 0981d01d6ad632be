// Shows cores that ran ahead of the cycle in which the machine stopped as they were then, and makes
// them again what they are:
//
//     flush       what has issued is applied; it stays so
//     rewind      PEs that are ahead are shown as they were, and what they are is kept
//     unwind      they are again what they are
#pragma once

#include <vector>

#include "vm/pe/core_table.h"
#include "vm/pe/kept_core.h"
#include "vm/pe/plans.h"
#include "vm/pe/stretches.h"
#include "vm/pe/successions.h"
#include "vm/pe/timers.h"
#include "vm/pe/vector_start.h"

namespace wse::vm {

class Rewinder {
 public:
  struct Peers {  // all must live longer
    CoreTable& cores;
    Plans& plans;
    Successions& successions;
    Timers& timers;
    VectorStarts& starts;
    Stretches& stretches;
  };
  Rewinder(const CoreParts& parts, const Peers& peers) : parts_(parts), peers_(peers) {}

  // After flush: shows the machine without what scalar code did ahead of time. Every PE is at an
  // instruction boundary, the last one at or before the start of cycle `end`. `last` is the last
  // cycle in which cores acted: what began in it, or before, has begun.
  void rewind(Cycle end, Cycle last);
  // After rewind(): the drains of what has ended count, and of timers that stall the cycles that
  // were.
  void show_ends(Cycle last);
  // Undoes both, but for what they told the ledger.
  void unwind();

 private:
  // A PE that is rewound.
  struct Rewound {
    PeId pe = 0;
    KeptCore before;
    KeptSuccession succession;   // if it is kept
    bool is_taken_back = false;  // an instruction that was started ahead of time,
    bool is_cancelled = false;   // and which the transport had
  };
  void take_back_start(Rewound& rewound, Core& core);
  void rewind_stretch(PeId pe, Core& core, Cycle end, Cycle last);
  void unwind(const Rewound& rewound);

  CoreParts parts_;
  Peers peers_;
  std::vector<Rewound> rewound_;
};

}  // namespace wse::vm
