// Looks at channels, threads and FIFOs.
#include "vm/stepper/stepper_view.h"

namespace wse::vm {

ChannelState StepperView::channel(ChannelId id) const {
  return state_of(id, state_.channels()[id]);
}

std::uint32_t StepperView::queued(ChannelId id, QueuePort port) const {
  const Channels& channels = state_.channels();
  const QueueId queue = channels.queue(channels[id], port);
  return queue == kNoQueue ? 0 : state_.queues()[queue].size();
}

StandingWavelet StepperView::wavelet(ChannelId id, QueuePort port, std::uint32_t k) const {
  const Channels& channels = state_.channels();
  const Wavelet wavelet = state_.queues()[channels.queue(channels[id], port)].at(k);
  return {.data = wavelet.data(), .hops = wavelet.hops(), .control = wavelet.control()};
}

std::uint32_t StepperView::full_ports(ChannelId id, Cycle now) const {
  return fabric_.full_ports(id, now);
}

std::uint64_t StepperView::dropped(ChannelId id) const {
  const Channel& channel = state_.channels()[id];
  return channel.extra == kNoExtra ? 0 : state_.extra(channel).dropped;
}

StreamEndId StepperView::stream_in(ChannelId id, isa::Port side) const {
  return fabric_.edge().stream_in(state_.channels()[id], side);
}

std::vector<WaitingThread> StepperView::waiting(PeId pe, Cycle now) const {
  const IssuingPe& state = threads_.at(pe);
  std::vector<WaitingThread> result;
  for (std::uint32_t rest = turns::numbers(state.moving); rest != 0;
       rest = turns::without_first(rest)) {
    result.push_back(waiting(pe, threads_.thread_of(state, turns::first(rest)), now));
  }
  return result;
}

WaitingThread StepperView::waiting(PeId pe, const MovingThread& thread, Cycle now) const {
  const Flow& flow = *thread.flow;
  WaitingThread waiting{.thread = {pe, thread.number}, .issued = thread.issued};
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!flow.takes_wavelet(k, thread.issued)) continue;
    const QueueId down = ramps_.down_ramp(pe, flow.in[k]);
    if (ramps_.head_of(down, now) != PeRamps::Head::Data) waiting.inputs[k] = flow.in[k];
  }
  const bool sends = thread.sends_wavelet(thread.end());
  if (sends && !ramps_.has_room(ramps_.up_ramp(pe, flow.out), now)) waiting.output = flow.out;
  for (const std::uint32_t fifo : flow.fifo_in) {
    if (fifo != kNoFifo && threads_.fifos(pe).size(fifo) == 0) waiting.empty = fifo;
  }
  const std::uint32_t fifo = flow.fifo_out;
  if (fifo != kNoFifo && threads_.fifos(pe).is_full(fifo, now)) waiting.full = fifo;
  return waiting;
}

std::uint64_t StepperView::refused(PeId pe, std::uint32_t fifo) const {
  return threads_.fifos(pe).refused(fifo);
}

}  // namespace wse::vm
