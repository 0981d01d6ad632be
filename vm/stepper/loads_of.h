// Sums over the queues of a stepper, when a run is over.
#pragma once

#include "vm/contract/loads.h"
#include "vm/contract/transport.h"
#include "vm/stepper/channels.h"

namespace wse::vm {

TransportTotals totals_of(const Channels& channels, const Queues& queues, const PeRange& pes);

// Adds what passed the ramps and links of the PEs.
void add_loads_of(const isa::Topology& mesh, const Channels& channels, const Queues& queues,
                  const PeRange& pes, Loads& loads);

}  // namespace wse::vm
