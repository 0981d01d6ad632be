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

// Returns the port of the queues into which the words of a way come.
QueuePort queue_behind(const LoadedWay& way) {
  switch (way.kind) {
    case LoadedWay::Kind::Up: return QueuePort::UpRamp;
    case LoadedWay::Kind::Down:
    case LoadedWay::Kind::Taken: return QueuePort::DownRamp;
    case LoadedWay::Kind::Link: break;
  }
  return input_queue(isa::opposite(way.port));
}

}  // namespace

std::vector<std::uint64_t> loads_of(const isa::Topology& mesh, const LoadedWay& way,
                                    std::span<const QueueCounts* const> counts,
                                    const ArrivedBefore& before) {
  const QueuePort port = queue_behind(way);
  std::vector<std::uint64_t> pushed(mesh.pes());
  for (const QueueCounts* const strip : counts) strip->add_pushed(port, pushed);
  if (!before.empty()) {
    const auto number = static_cast<std::size_t>(port);
    for (PeId pe = 0; pe < pushed.size(); ++pe) pushed[pe] -= before[pe][number];
  }
  if (way.kind == LoadedWay::Kind::Taken) {
    std::vector<std::uint64_t> waiting(mesh.pes());
    for (const QueueCounts* const strip : counts) strip->add_waiting_down(waiting);
    for (PeId pe = 0; pe < pushed.size(); ++pe) pushed[pe] -= waiting[pe];
  }
  if (way.kind != LoadedWay::Kind::Link) return pushed;
  std::vector<std::uint64_t> loads(mesh.pes());
  for (PeId pe = 0; pe < pushed.size(); ++pe) {
    if (pushed[pe] == 0) continue;
    const std::optional<PeId> from = mesh.neighbour(pe, isa::opposite(way.port));
    if (from) loads[*from] += pushed[pe];  // else a stream's
  }
  return loads;
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
