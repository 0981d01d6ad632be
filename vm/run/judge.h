// Whether a run ended well: the one place that says so, for the command line and for scripts.
#pragma once

#include "vm/run/machine.h"

namespace wse::vm {

// The demands on a run besides halting.
struct Demands {
  bool strict = false;  // no wavelet is left over
  bool expect = false;  // the program's own .expect lines hold
};

// Returns whether the run halted and met its demands. Adds what is wrong besides the status to the
// message of the record, a line each.
bool judge(const Machine& machine, const Demands& demands, Record& record);

}  // namespace wse::vm
