// Keeps what the vector instructions of main threads leave to those after them, and lets the ends
// of tasks wait for it (succession.h). Machines whose next instruction waits for the finish have
// none of this.
#include <utility>

#include "isa/support/mutant.h"
#include "vm/pe/cores.h"

namespace wse::vm {

void Cores::keep_after(PeId pe, const Core& core, const isa::ScalarState& state, Cycle start) {
  if (!follows()) return;
  isa::Succession& after = following_of(core).after;
  after = from_run(state.after, start);
  if (state.after.drained == 0) return;
  parts_.ledger.activity.busy_until(pe, after.drained);
  if (state.stalls == 0) parts_.ledger.counters.finished(after.drained);  // else when it is over
}

void Cores::note_followed(PeId pe, const Core& core, InFlight& ended, Cycle end) {
  if (!ended.plan->is_followed) return;
  Following& following = following_of(core);
  note_end(following.after, *ended.plan, ended.length, end);
  if (following.own != nullptr) plans_.give_back(following.own);
  following.own = std::exchange(ended.own_plan, nullptr);
  if (ended.plan->later_drain == 0) return;
  parts_.ledger.activity.busy_until(pe, following.after.drained);
  parts_.ledger.counters.finished(following.after.drained);
}

bool Cores::waits_for_drain(PeId pe, Core& core, Cycle now) {
  const Cycle drained = after(core).drained;
  if (drained <= now || isa::mutant(isa::Mutant::EndsUndrained)) return false;
  core.main = Core::Main::Computing;
  core.resume = drained;
  parts_.agenda.add(pe, drained);
  return true;
}

std::uint64_t Cores::own_stalls(const Core& core, const InFlight& f) const {
  const Cycle first = f.drains_from() - f.plan->issue_cycles();
  return f.plan->stalls() - hidden_stalls(after(core), *f.plan, first);
}

}  // namespace wse::vm
