// Wavelets that passed each ramp and each link of a mesh, or hypercube, in a run.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/machine/fabric.h"
#include "isa/machine/topology.h"
#include "vm/contract/transport.h"
#include "vm/support/pe_range.h"
#include "vm/support/time.h"

namespace wse::vm {

// A way of words into or out of a PE, whose words are counted: over a link, into the up-ramps, into
// the down-ramps, from the down-ramps.
struct LoadedWay {
  enum class Kind : std::uint8_t { Link, Up, Down, Taken };
  Kind kind = Kind::Link;
  isa::Port port = isa::Port::East;  // of a link: the one over which the router sends
};

// What had come into the queues of each PE of a mesh, by QueuePort, when a launch acted. Empty:
// there was none, and nothing had.
using ArrivedBefore = std::vector<std::array<std::uint64_t, kQueuePorts>>;

// Returns the words that went some way, by PE: those over a link are those of the PE from which
// they came. `counts` are those of all strips.
std::vector<std::uint64_t> loads_of(const isa::Topology& mesh, const LoadedWay& way,
                                    std::span<const QueueCounts* const> counts,
                                    const ArrivedBefore& before);

// Returns what came into the queues of the PE after that.
Arrived arrived_since(Transport& transport, PeId pe, const ArrivedBefore& before);

// The counters that are kept by place.
TransportTotals totals_of(const isa::Topology& mesh, Transport& transport, const PeRange& pes,
                          const ArrivedBefore& before);

}  // namespace wse::vm
