// Out of line: compiled code has no vectors of its own.
#include "vm/pe/passed_stalls.h"

namespace wse::vm {

void PassedStalls::add(const StallSpan& span) {
  while (!spans_.empty() && spans_.back().from >= span.from) spans_.pop_back();
  spans_.push_back(span);
}

}  // namespace wse::vm
