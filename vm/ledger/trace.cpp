// Chooses what is told.
#include "vm/ledger/trace.h"

namespace wse::vm {

bool Tracer::lies_within(PeId pe) const {
  const std::uint32_t x = mesh_.x_of(pe);
  const std::uint32_t y = mesh_.y_of(pe);
  return x >= filter_.x0 && x <= filter_.x1 && y >= filter_.y0 && y <= filter_.y1;
}

void Tracer::main_continues(Cycle cycle, PeId pe, TraceEvent::For reason, std::uint32_t number) {
  const auto waits = waits_since_.find(pe);
  if (waits == waits_since_.end()) return;
  const Cycle since = waits->second;
  waits_since_.erase(waits);
  tell_wait({.kind = TraceEvent::Kind::Wait,
             .cycle = cycle,
             .pe = pe,
             .since = since,
             .reason = reason,
             .number = number});
}

}  // namespace wse::vm
