// Adds up what queues have counted.
#include "vm/stepper/stepper_counts.h"

namespace wse::vm {

void StepperCounts::read_links(Cycle /*now*/, LinkReader& reader) {
  const Channels& channels = state_.channels();
  for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
    for (const Channel& channel : channels.of(pe)) {
      for (std::uint32_t link = 0; link < mesh_.links(); ++link) {
        const isa::Port port = mesh_.link_port(link);
        const QueueId queue = channels.queue(channel, input_queue(port));
        if (queue == kNoQueue || state_.queues()[queue].pushed() == 0) continue;
        reader.came(pe, port, state_.queues()[queue].pushed());
      }
    }
  }
}

Arrived StepperCounts::arrived(PeId pe) const {
  Arrived arrived;
  const Channels& channels = state_.channels();
  for (const Channel& channel : channels.of(pe)) {
    for (std::uint32_t port = 0; port < kQueuePorts; ++port) {
      const QueueId queue = channels.queue(channel, static_cast<QueuePort>(port));
      if (queue == kNoQueue) continue;
      arrived.pushed[port] += state_.queues()[queue].pushed();
      arrived.waiting += state_.queues()[queue].size();
      if (static_cast<QueuePort>(port) == QueuePort::DownRamp) {
        arrived.waiting_down += state_.queues()[queue].size();
      }
    }
  }
  return arrived;
}

}  // namespace wse::vm
