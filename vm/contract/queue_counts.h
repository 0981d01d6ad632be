// The counts that a transport keeps of its queues, what ever came into them and how full they were,
// and those that it enters late.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/machine/fabric.h"
#include "vm/contract/link_sums.h"
#include "vm/support/time.h"

namespace wse::vm {

// The queues of a channel: one for each port from which wavelets come, numbered as the ports, and
// the down-ramp.
enum class QueuePort : std::uint8_t {
  UpRamp = static_cast<std::uint8_t>(isa::Port::Ramp),
  DownRamp = isa::kPorts
};
inline constexpr std::uint32_t kQueuePorts = isa::kPorts + 1;

constexpr QueuePort input_queue(isa::Port rx) { return static_cast<QueuePort>(rx); }

// Wavelets of one PE, when a run is over or stopped.
struct Arrived {
  std::array<std::uint64_t, kQueuePorts> pushed =
      {};                          // that ever came into its queues, by QueuePort
  std::uint64_t waiting = 0;       // in all of these
  std::uint64_t waiting_down = 0;  // in the down-ramps
};

class QueueCounts {
 public:
  virtual ~QueueCounts() = default;

  // When the transport has flushed: what came into the queues of the PE.
  virtual Arrived arrived(PeId pe) const = 0;
  // When the transport has flushed: adds what ever came into the queues of a port, or what waits in
  // the down-ramps, of each PE of the strip to numbers by PE of the mesh.
  virtual void add_pushed(QueuePort port, std::span<std::uint64_t> wavelets) const = 0;
  virtual void add_waiting_down(std::span<std::uint64_t> wavelets) const = 0;
  // Before the first cycle: read_links() will be asked.
  virtual void keep_links() {}
  // When all cycles before `now` are done: adds what its PEs have sent, or what has come to them,
  // over links before it. A machine of several strips adds up all of them.
  virtual void read_links(Cycle now, LinkSums& sums) = 0;

  // The same: counts in the ledger what is not counted as it happens. A run that continues forgets
  // these counts.
  virtual void count_unfinished() {}

  // Before the first cycle: peak() will be known.
  virtual void keep_peaks() = 0;
  // The most wavelets that one queue of the PE's router held at the end of a cycle, of the ramps as
  // of the links.
  virtual std::uint32_t peak(PeId pe) const = 0;
  // A launch acts, and no queue holds anything: peak() begins anew.
  virtual void forget_peaks() = 0;
};

}  // namespace wse::vm
