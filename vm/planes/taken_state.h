// The planes of a machine become those of another one, from values: PE by PE before the first
// cycle, then once for what follows from all together, wires and who takes part in the next cycle.
#pragma once

#include <map>

#include "vm/contract/transport_state.h"
#include "vm/load/written_routings.h"
#include "vm/planes/blocks/disturbances.h"
#include "vm/planes/blocks/queue_peaks.h"
#include "vm/planes/blocks/router_activity.h"
#include "vm/planes/blocks/taken_queues.h"
#include "vm/planes/blocks/taken_threads.h"
#include "vm/planes/cycle_order.h"
#include "vm/planes/wafer_counts.h"

namespace wse::vm::wafer {

class TakenState {
 public:
  struct Parts {  // all must live longer
    const isa::Profile& profile;
    PeRange pes;  // of the strip
    const Border& border;
    RouterTable& table;
    QueuePeaks& peaks;
    RouterActivity& activity;
    Disturbances& disturbances;
    CycleOrder& order;
    WaferCounts& counts;
    Counters& counters;
    TakenQueues::Parts queues;
    TakenThreads::Parts threads;
  };
  explicit TakenState(const Parts& parts);

  // See TransportStates.
  bool take(PeId pe, const TransportState& state, const TransportStates::BegunBy& begun_by,
            Cycle now);
  // When all PEs of all strips are taken, and the books.
  void settle(Cycle now);
  bool fill_queues(const std::map<PeId, TransportState>& given);
  void count_links(PeId pe, const TransportState& state);
  void forget_links() { parts_.counts.forget_links(); }

 private:
  bool take_channel(ChannelId id, const TransportState::Channel& given);
  bool take_filter(const Channel& channel, const TransportState::Channel& given);
  // Tells the blocks beside it what room the queues of the router have, and leaves out what came
  // into them, which is counted. Returns whether something is in one.
  bool open(RouterPlanes& router);
  // A queue of a PE of another process is full: the own PE beside it sees no room there.
  void see_full(PeId there, std::uint32_t colour, isa::Port port);

  Parts parts_;
  TakenQueues queues_;
  TakenThreads threads_;
  WrittenRoutings routings_;
  std::uint32_t deepest_;  // queue
};

}  // namespace wse::vm::wafer
