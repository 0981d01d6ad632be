// Sums over the queues of PEs: the load of a link is what ever came into the queues behind it.
#include "vm/strips/loads.h"

#include <algorithm>
#include <optional>

namespace wse::vm {
namespace {

constexpr auto kUp = static_cast<std::size_t>(QueuePort::UpRamp);
constexpr auto kDown = static_cast<std::size_t>(QueuePort::DownRamp);

// Calls visit(neighbour, its port, wavelets) for each link over which wavelets come to the PE.
template <class Visit>
void for_each_link(const isa::Topology& mesh, PeId pe, const Arrived& arrived, Visit visit) {
  for (std::uint32_t k = 0; k < mesh.links(); ++k) {
    const isa::Port port = mesh.link_port(k);
    const std::optional<PeId> beside = mesh.neighbour(pe, port);
    if (!beside) continue;  // what came there came by a stream
    visit(*beside, isa::opposite(port), arrived.pushed[static_cast<std::size_t>(port)]);
  }
}

}  // namespace

void add_load(const isa::Topology& mesh, const LoadedWay& way, PeId pe, const Arrived& arrived,
              std::vector<std::uint64_t>& loads) {
  switch (way.kind) {
    case LoadedWay::Kind::Up: loads[pe] += arrived.pushed[kUp]; return;
    case LoadedWay::Kind::Down: loads[pe] += arrived.pushed[kDown]; return;
    case LoadedWay::Kind::Taken: loads[pe] += arrived.pushed[kDown] - arrived.waiting_down; return;
    case LoadedWay::Kind::Link: break;
  }
  for_each_link(mesh, pe, arrived, [&](PeId from, isa::Port port, std::uint64_t wavelets) {
    if (port == way.port) loads[from] += wavelets;
  });
}

Arrived arrived_since(Transport& transport, PeId pe, const ArrivedBefore& before) {
  Arrived arrived = transport.counts().arrived(pe);
  if (before.empty()) return arrived;
  for (std::size_t k = 0; k < arrived.pushed.size(); ++k) arrived.pushed[k] -= before[pe][k];
  return arrived;
}

TransportTotals totals_of(const isa::Topology& mesh, Transport& transport, const PeRange& pes,
                          const ArrivedBefore& before) {
  TransportTotals totals;
  for (PeId pe = pes.first; pe < pes.end; ++pe) {
    const Arrived arrived = arrived_since(transport, pe, before);
    totals.wavelets_left += arrived.waiting;
    totals.max_ramp_wavelets = std::max(totals.max_ramp_wavelets, arrived.pushed[kDown]);
    for_each_link(mesh, pe, arrived, [&totals](PeId, isa::Port, std::uint64_t wavelets) {
      totals.links_used += wavelets > 0 ? 1 : 0;
      totals.max_link_load = std::max(totals.max_link_load, wavelets);
    });
  }
  return totals;
}

}  // namespace wse::vm
