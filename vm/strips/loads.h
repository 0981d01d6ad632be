// Wavelets that passed each ramp and each link of a mesh, or hypercube, in a run.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/machine/fabric.h"
#include "isa/machine/topology.h"
#include "vm/contract/transport.h"
#include "vm/support/pe_range.h"
#include "vm/support/time.h"

namespace wse::vm {

class Loads {
 public:
  // The mesh must live longer.
  explicit Loads(const isa::Topology& mesh);

  // Adds the wavelets of a PE, which came over the links of its neighbours or from its up-ramp.
  void add(PeId pe, const Arrived& arrived);

  // By PE: that the router sent over that port, which must be a link.
  std::vector<std::uint64_t> link(isa::Port port) const;
  // By PE: into the up-ramps, into the down-ramps, from the down-ramps.
  const std::vector<std::uint64_t>& up() const { return up_; }
  const std::vector<std::uint64_t>& down() const { return down_; }
  const std::vector<std::uint64_t>& taken() const { return taken_; }

 private:
  const isa::Topology& mesh_;
  std::vector<std::uint64_t> links_;  // by link, then by PE
  std::vector<std::uint64_t> up_;
  std::vector<std::uint64_t> down_;
  std::vector<std::uint64_t> taken_;
};

// What had come into the queues of each PE of a mesh, by QueuePort, when a launch acted. Empty:
// there was none, and nothing had.
using ArrivedBefore = std::vector<std::array<std::uint64_t, kQueuePorts>>;

// Returns what came into the queues of the PE after that.
Arrived arrived_since(Transport& transport, PeId pe, const ArrivedBefore& before);

// The counters that are kept by place.
TransportTotals totals_of(const isa::Topology& mesh, Transport& transport, const PeRange& pes,
                          const ArrivedBefore& before);

}  // namespace wse::vm
