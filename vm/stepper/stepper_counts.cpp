// Adds up what queues have counted.
#include "vm/stepper/stepper_counts.h"

namespace wse::vm {

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
