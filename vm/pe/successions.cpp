// Keeps what main threads leave to the next instruction, and lets the ends of tasks wait for it.
#include "vm/pe/successions.h"

#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm {

void Successions::note_stretch(PeId pe, const Core& core, const isa::ScalarState& state,
                               Cycle start) {
  if (!keeps(core)) return;
  isa::Succession& after = of(core).after;
  after = from_run(state.after, start);
  if (state.after.drained == 0) return;
  parts_.busy_until(pe, after.drained);
  if (state.stalls == 0) parts_.ledger.counters.finished(after.drained);  // else when it is over
}

void Successions::note_finish(PeId pe, const Core& core, InFlight& ended, Cycle end) {
  if (!ended.plan->is_followed) return;
  KeptSuccession& kept = of(core);
  note_end(kept.after, *ended.plan, ended.length, end);
  if (kept.own != nullptr) plans_.give_back(kept.own);
  kept.own = std::exchange(ended.own_plan, nullptr);
  if (ended.plan->later_drain == 0) return;
  parts_.busy_until(pe, kept.after.drained);
  parts_.ledger.counters.finished(kept.after.drained);
  if (parts_.ledger.causes != nullptr) parts_.ledger.causes->threads.drains(pe, kept.after.drained);
}

bool Successions::wait_for_drain(PeId pe, Core& core, Cycle now) {
  const Cycle drained = after(core).drained;
  if (drained <= now || isa::mutant(isa::Mutant::EndsUndrained)) return false;
  core.main = Core::Main::Computing;
  if (parts_.ledger.causes != nullptr)
    parts_.ledger.causes->cores.computes(pe, StepKind::Drain, core.state.pc, drained);
  core.resume = drained;
  parts_.wake(pe, drained);
  return true;
}

std::uint64_t Successions::own_stalls(const Core& core, const InFlight& f) const {
  const Cycle first = f.drains_from() - f.plan->issue_cycles;
  return f.plan->stalls() - hidden_stalls(after(core), *f.plan, first);
}

}  // namespace wse::vm
