// The load of a link, or of a down-ramp, is what was ever in the queue behind it.
#include "vm/stepper/loads_of.h"

#include <array>
#include <utility>

#include "vm/contract/router_rules.h"

namespace wse::vm {
namespace {

// Returns the wavelets that the router of the PE has sent, by port.
std::array<std::uint64_t, isa::kPorts> sent_by_port(const Channels& channels, const Queues& queues,
                                                    PeId pe) {
  std::array<std::uint64_t, isa::kPorts> sent = {};
  for (const Channel& channel : channels.of(pe)) {
    channels.for_each_target(channel, channel.ports, [&](isa::Port port, QueueId target) {
      if (target != kNoQueue) sent[static_cast<std::size_t>(port)] += queues[target].pushed();
    });
  }
  return sent;
}

}  // namespace

TransportTotals totals_of(const Channels& channels, const Queues& queues, const PeRange& pes) {
  TransportTotals totals;
  for (const QueueId q : channels.queues()) totals.wavelets_left += queues[q].size();
  for (PeId pe = pes.first; pe < pes.end; ++pe) {
    std::array<std::uint64_t, isa::kPorts> loads = sent_by_port(channels, queues, pe);
    const std::uint64_t ramp = std::exchange(loads[static_cast<std::size_t>(isa::Port::Ramp)], 0);
    count_loads(totals, ramp, loads);
  }
  return totals;
}

void add_loads_of(const isa::Topology& mesh, const Channels& channels, const Queues& queues,
                  const PeRange& pes, Loads& loads) {
  for (PeId pe = pes.first; pe < pes.end; ++pe) {
    const std::array<std::uint64_t, isa::kPorts> sent = sent_by_port(channels, queues, pe);
    for (std::uint32_t k = 0; k < mesh.links(); ++k) {
      const isa::Port port = mesh.link_port(k);
      loads.link(pe, port) += sent[static_cast<std::size_t>(port)];
    }
    for (const Channel& channel : channels.of(pe)) {
      const QueueId up = channels.queue(channel, QueuePort::UpRamp);
      const QueueId down = channels.queue(channel, QueuePort::DownRamp);
      if (up != kNoQueue) loads.up[pe] += queues[up].pushed();
      if (down == kNoQueue) continue;
      loads.down[pe] += queues[down].pushed();
      loads.taken[pe] += queues[down].pushed() - queues[down].size();
    }
  }
}

}  // namespace wse::vm
