// The loop over cycles, and what a stepper shows of itself.
#include "vm/stepper/stepper.h"

#include <algorithm>

namespace wse::vm {

Stepper::Stepper(const Parts& parts)
    : trap_(parts.trap),
      agendas_(parts.mesh.pes()),
      fabric_({parts.image, parts.mesh, parts.profile, parts.channels, agendas_, parts.streams,
               parts.counters, parts.trap, parts.tracer}),
      issuer_(parts.mesh.pes(), parts.profile, fabric_, agendas_, parts.activity, parts.counters,
              parts.tracer) {
  fabric_.connect(relay_);
  issuer_.connect(relay_);
}

Cycle Stepper::run(Cycle from, Cycle until, const std::atomic<bool>* stop) {
  relay_.told = false;
  for (Cycle now = from; now < until; now = std::max(now + 1, next())) {
    issuer_.step(now);
    fabric_.step(now);
    if (relay_.told || trap_.first()) return now + 1;
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return now + 1;
  }
  return until;
}

TransportTotals Stepper::totals() const {
  return {.links_used = fabric_.links_used(),
          .max_link_load = fabric_.max_link_load(),
          .max_ramp_wavelets = fabric_.max_ramp_wavelets(),
          .wavelets_left = fabric_.wavelets_left()};
}

ChannelState Stepper::channel(ChannelId id) const {
  const Channel& channel = fabric_.channels()[id];
  return {.id = id,
          .pe = channel.pe,
          .colour = channel.colour,
          .position = channel.position,
          .torn_down = channel.torn_down,
          .routing = channel.routing};
}

std::uint32_t Stepper::queued(ChannelId id, QueuePort port) const {
  const Channel& channel = fabric_.channels()[id];
  return channel.has(port) ? fabric_.queues().size(channel.queue(port)) : 0;
}

StandingWavelet Stepper::wavelet(ChannelId id, QueuePort port, std::uint32_t k) const {
  const Wavelet& wavelet = fabric_.queues().at(fabric_.channels()[id].queue(port), k);
  return {.data = wavelet.data, .hops = wavelet.hops, .control = wavelet.control != 0};
}

}  // namespace wse::vm
