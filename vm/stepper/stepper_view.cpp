// Answers about channels come from the fabric, about threads and FIFOs from the issuer.
#include "vm/stepper/stepper_view.h"

namespace wse::vm {

ChannelState StepperView::channel(ChannelId id) const {
  return state_of(id, fabric_.channels()[id]);
}

std::uint32_t StepperView::queued(ChannelId id, QueuePort port) const {
  const Channels& channels = fabric_.channels();
  const QueueId queue = channels.queue(channels[id], port);
  return queue == kNoQueue ? 0 : fabric_.queues()[queue].size();
}

StandingWavelet StepperView::wavelet(ChannelId id, QueuePort port, std::uint32_t k) const {
  const Channels& channels = fabric_.channels();
  const Wavelet wavelet = fabric_.queues()[channels.queue(channels[id], port)].at(k);
  return {.data = wavelet.data(), .hops = wavelet.hops(), .control = wavelet.control()};
}

std::uint32_t StepperView::full_ports(ChannelId id, Cycle now) const {
  return fabric_.full_ports(id, now);
}

std::uint64_t StepperView::dropped(ChannelId id) const {
  return fabric_.dropped(fabric_.channels()[id]);
}

StreamEndId StepperView::stream_in(ChannelId id, isa::Port side) const {
  return fabric_.stream_in(fabric_.channels()[id], side);
}

std::vector<WaitingThread> StepperView::waiting(PeId pe, Cycle now) const {
  return issuer_.waiting(pe, now);
}

std::uint64_t StepperView::refused(PeId pe, std::uint32_t fifo) const {
  return issuer_.fifos(pe).refused(fifo);
}

}  // namespace wse::vm
