// The transport for whole wafers: it steps bits of 512 PEs at a time and moves words in ranges.
//
//      |-- Slots          issue slots: planes of threads, which start and end one by one
//      |     |
//      |-- Routers        moves: planes of queues, routes, wires between neighbours
//      |     |
//      |-- RestingBlocks  blocks whose cycles are alike: they are counted, not stepped
//      |
//      `-- Words          which words the bits stand for: run lists, messages, ranges of elements
//
// Exactly the machine of the stepper, to the cycle and bit; what it has not got it refuses before a
// machine is made: see refusal.h. Several strips do a cycle in two halves: see border.h.
#pragma once

#include <algorithm>

#include "vm/contract/relay.h"
#include "vm/contract/transport.h"
#include "vm/planes/blocks/arrivals.h"
#include "vm/planes/blocks/block_activities.h"
#include "vm/planes/blocks/configuration.h"
#include "vm/planes/blocks/control_slots.h"
#include "vm/planes/blocks/disturbances.h"
#include "vm/planes/blocks/down_ramps.h"
#include "vm/planes/blocks/ending_threads.h"
#include "vm/planes/blocks/held_slots.h"
#include "vm/planes/blocks/marked_moves.h"
#include "vm/planes/blocks/passed_messages.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/blocks/router_activity.h"
#include "vm/planes/blocks/routers.h"
#include "vm/planes/blocks/slots.h"
#include "vm/planes/blocks/starting_threads.h"
#include "vm/planes/blocks/switches.h"
#include "vm/planes/blocks/waiting_controls.h"
#include "vm/planes/borders/border.h"
#include "vm/planes/cycle_order.h"
#include "vm/planes/field.h"
#include "vm/planes/taken_state.h"
#include "vm/planes/wafer_counts.h"
#include "vm/planes/wafer_state.h"
#include "vm/planes/wafer_view.h"

namespace wse::vm::wafer {

class Wafer : public Transport {
 public:
  struct Parts {  // what it works with; all must live longer
    const isa::Image& image;
    const isa::Profile& profile;
    Field& field;
    Link& link;                  // to the other strips
    std::span<const PeId> ends;  // by strip: after its last PE
    PeRange pes;                 // of the strip
    Ledger& ledger;
    FirstTrap& trap;
  };
  explicit Wafer(const Parts& parts);

  void set_filter(ChannelId channel, const FilterSetting& filter) override {
    configuration_.set_filter(channel, filter);
  }
  void set_threads(PeId pe, std::uint32_t threads,
                   const std::vector<std::uint32_t>& fifos) override {
    threads_.set(pe, threads);
    if (!fifos.empty()) fifos_.set(pe, fifos);
  }
  void connect(TransportClient& client) override;

  void begin(ThreadId thread, const Flow& flow, Cycle earliest) override {
    starting_.begin(thread, flow, earliest);
  }
  void cancel(ThreadId thread) override { starting_.cancel(thread); }
  void hold_slot(PeId pe, Cycle /*from*/, Cycle until) override { held_.hold(pe, until); }
  bool slot_held(PeId pe, Cycle) const override { return held_.has_conflict(pe); }
  Head head(ChannelId channel, Cycle) const override { return down_ramps_.head(channel); }
  std::uint32_t head_data(ChannelId channel) const override {
    return down_ramps_.head_data(channel);
  }
  bool has_controls(PeId pe) const override { return controls_.has(pe); }
  std::uint32_t pick(ChannelId channel, Cycle now) override {
    return down_ramps_.pick(channel, now);
  }
  Writable writable(ChannelId channel) const override {
    return {configuration_.may_write(channel), configuration_.positions(channel)};
  }
  void write(const ConfigurationWrite& write) override { configuration_.write(write); }

  Cycle next() const override {
    return std::min({order_.restless(), held_.next(), starting_.next()});
  }
  Cycle run(Cycle from, Cycle until, const std::atomic<bool>* stop) override;
  bool meets() const override { return !border_.is_alone(); }
  void meet(Cycle now) override;
  bool serve() override { return words_.serve(); }
  void take_in() override;
  void flush(Cycle end, bool reads_memory) override;

  QueueCounts& counts() override { return queue_counts_; }
  TransportStates& states() override { return state_; }
  const Inspector& inspector() const override { return view_; }

 private:
  const FirstTrap& trap_;
  Counters& counters_;
  Relay relay_;
  PeRange pes_;
  Border border_;
  Grid& grid_;
  ChannelTable& channels_;
  RouterTable& table_;
  Threads threads_;
  Fifos fifos_;
  Messages messages_;
  RunLists run_lists_;
  Loans loans_;
  Words words_;
  RestingBlocks rests_;
  RouterActivity activity_;
  Disturbances disturbances_;
  WaitingControls controls_;
  Switches switches_;
  Arrivals arrivals_;
  MarkedMoves marked_;
  mutable DownRamps down_ramps_;  // a look at a word may make it
  Configuration configuration_;
  QueuePeaks peaks_;
  Routers routers_;
  MarkedSet moving_;  // blocks in which a thread moves, or a slot is held
  HeldSlots held_;
  StartingThreads starting_;
  EndingThreads ending_;
  PassedMessages passed_;
  ControlSlots control_slots_;
  BlockActivities activities_;
  Slots slots_;
  CycleOrder order_;
  WaferView view_;
  WaferCounts queue_counts_;
  TakenState taken_;
  WaferState state_;
};

}  // namespace wse::vm::wafer
