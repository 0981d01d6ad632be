// Copies what rewinding changes.
#include "vm/pe/kept_core.h"

#include <algorithm>
#include <span>

namespace wse::vm {

KeptCore::KeptCore(Core& core)
    : state_(core.state),
      memory_(core.log.changed_memory(core.state)),
      log_elements_(core.log.elements),
      log_stalls_(core.log.stalls),
      resume_(core.resume),
      main_(core.main),
      in_flight_(core.in_flight) {
  const std::span<const InFlight> slots = core.in_flight.slots(core.program->threads);
  slots_.assign(slots.begin(), slots.end());
  if (core.state.d == nullptr) return;
  const isa::DescriptorRegisters& d = *core.state.d;
  for (std::uint32_t number = 0; number < isa::kDescriptorRegisters; ++number) {
    descriptors_.push_back({.number = number, .shared = d.shared(number), .own = d[number]});
  }
}

void KeptCore::put_back(Core& core) const {
  core.state = state_;
  for (const StretchLog::Held& held : descriptors_) held.put_into(*core.state.d);
  core.log.put_memory(core.state, memory_);
  core.log.elements = log_elements_;
  core.log.stalls = log_stalls_;
  core.resume = resume_;
  core.main = main_;
  core.in_flight = in_flight_;
  std::ranges::copy(slots_, core.in_flight.slots(core.program->threads).begin());
}

}  // namespace wse::vm
