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

template <class Visit>
void StepperCounts::for_each_queue(QueuePort port, Visit visit) const {
  const Channels& channels = state_.channels();
  for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
    for (const Channel& channel : channels.of(pe)) {
      const QueueId queue = channels.queue(channel, port);
      if (queue != kNoQueue) visit(pe, state_.queues()[queue]);
    }
  }
}

void StepperCounts::add_pushed(QueuePort port, std::span<std::uint64_t> wavelets) const {
  for_each_queue(port, [&](PeId pe, const Queue& queue) { wavelets[pe] += queue.pushed(); });
}

void StepperCounts::add_waiting_down(std::span<std::uint64_t> wavelets) const {
  for_each_queue(QueuePort::DownRamp,
                 [&](PeId pe, const Queue& queue) { wavelets[pe] += queue.size(); });
}

}  // namespace wse::vm
