// Copies what lanes have in common.
#include "vm/pe/alike_core.h"

#include <cstring>

#include "isa/support/mutant.h"

namespace wse::vm {

void take_alike(Core& to, const Core& from) {
  std::memcpy(to.state.r, from.state.r, sizeof to.state.r);
  to.state.pc = from.state.pc;
  to.state.left = from.state.left;
  const bool has_descriptors =
      from.state.d != nullptr && !isa::mutant(isa::Mutant::CohortDescriptors);
  for (std::size_t k = 0; has_descriptors && k < isa::kDescriptorRegisters; ++k) {
    to.state.d->share(k, (*from.state.d)[k]);
  }
  to.in_flight.take(from.in_flight);
  to.main = from.main;
  to.awaited = from.awaited;
  to.resume = from.resume;
  to.burst = from.burst;
  to.burst_cycle = from.burst_cycle;
  to.is_mid_stretch = from.is_mid_stretch;
  to.task = from.task;
  if (!isa::mutant(isa::Mutant::CohortIds)) to.ids = from.ids;
  if (!isa::mutant(isa::Mutant::CohortLog)) to.log.take_figures(from.log, to.state);
}

void AlikeCore::take(const Core& from, const KeptSuccession& kept) {
  for (Ended& known : ended_) known.then = {};  // of the state that it was, perhaps in this cycle
  core_.program = from.program;
  core_.tasks = from.tasks;
  core_.state.view = from.state.view;
  core_.state.d = from.state.d == nullptr ? nullptr : &d_;
  core_.picked = from.picked;
  core_.in_flight.lie_in(slots_.data());
  if (from.log.has_changes) core_.log.take_places(from.log);
  take_alike(core_, from);
  kept_ = kept;
}

}  // namespace wse::vm
