// Keeps vector instructions out of line: compiled code has no vectors of its own.
#include "vm/pe/visit_tape.h"

namespace wse::vm {

void VisitTape::passes(const Passed& vector) {
  if (vector.instruction->destination_kind == 0)
    return spoil();  // a register gets what memory holds
  while (!passed.empty() && passed.back().at >= vector.at) passed.pop_back();
  add(passed, vector);
}

}  // namespace wse::vm
