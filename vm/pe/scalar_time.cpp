// Lets the time of scalar code pass.
#include "vm/pe/scalar_time.h"

#include "isa/semantics/execute.h"
#include "vm/pe/tsc_skew.h"

namespace wse::vm {

std::uint64_t ScalarTime::counter_of(PeId pe, Cycle now) const {
  return skew_seed_ ? now + tsc_skew(*skew_seed_, pe) : now;
}

void ScalarTime::spend(PeId pe, Core& core, const isa::ScalarState& charged, Cycle now) {
  core.resume = now + charged.cycles_charged;
  if (core.resume == now) return;
  if (parts_.ledger.tracer.is_open()) {
    parts_.ledger.tracer.tell({.kind = TraceEvent::Kind::Scalar,
                               .cycle = now,
                               .pe = pe,
                               .until = core.resume,
                               .where = core.program->program->line_of(core.state.pc)});
  }
  if (parts_.ledger.causes != nullptr) {
    parts_.ledger.causes->cores.computes(pe, StepKind::Scalar, core.state.pc, core.resume);
    parts_.ledger.causes->cores.holds_slot(pe, core.state.pc, now + charged.slots_charged);
  }
  if (core.main == Core::Main::Ready) core.main = Core::Main::Computing;
  if (charged.slots_charged > 0) parts_.hold_slot(pe, now, now + charged.slots_charged);
  parts_.busy_until(pe, core.resume);
}

void ScalarTime::pass_stop_point(PeId pe, Core& core, Cycle now) {
  isa::ScalarState state{core.state};
  isa::pass_stop_point(state, core.instruction().op, costs_);
  core.state = state;
  parts_.count(pe, {.instructions = state.instructions});
  spend(pe, core, state, now);
  if (core.resume == now) return;
  parts_.ledger.counters.finished(core.resume);
  parts_.wake(pe, core.resume);
}

bool ScalarTime::needs_slot(const Core& core) const {
  const isa::InstructionInfo& row = isa::info(core.instruction().op);
  return costs_.of(row.cost).slots > 0 && !row.is_vector();
}

}  // namespace wse::vm
