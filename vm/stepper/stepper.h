// The general transport: it steps issue slots and routers cycle by cycle, only where something can
// move. It can do all that a profile and an image may ask for.
//
//      |-- Issuer     issue slots: which thread moves elements in this cycle
//      |     | ^
//      |     v |      PeRamps
//      |-- Fabric     routers and links; Switching: what changes them
//      `-- Border     what passes to and from other strips
//
// A PE that is on the agenda has one visit in a cycle: its issue slots, then its router.
#pragma once

#include <span>

#include "vm/contract/relay.h"
#include "vm/contract/transport.h"
#include "vm/stepper/border.h"
#include "vm/stepper/fabric.h"
#include "vm/stepper/issuer.h"
#include "vm/stepper/pe_ramps.h"
#include "vm/stepper/router_state.h"
#include "vm/stepper/stepper_counts.h"
#include "vm/stepper/stepper_state.h"
#include "vm/stepper/stepper_view.h"
#include "vm/stepper/switching.h"

namespace wse::vm {

class Stepper : public Transport {
 public:
  struct Parts {  // what it works with; all must live longer
    const isa::Image& image;
    const isa::Profile& profile;
    const isa::Topology& mesh;
    const ChannelMap& channels;
    PeRange pes;                 // those of its strip
    Link& link;                  // to the other strips
    std::span<const PeId> ends;  // by strip: after its last PE
    Streams& streams;
    Ledger& ledger;
    FirstTrap& trap;
  };
  explicit Stepper(const Parts& parts);

  void set_filter(ChannelId channel, const FilterSetting& filter) override {
    state_.make_extra(channel).filter = FilterState(filter);
  }
  void set_threads(PeId pe, std::uint32_t threads,
                   const std::vector<std::uint32_t>& fifos) override {
    issuer_.threads().set_threads(pe, threads);
    if (!fifos.empty()) issuer_.threads().set_fifos(pe, fifos);
  }
  void connect(TransportClient& client) override;

  void begin(ThreadId thread, const Flow& flow, Cycle earliest) override {
    issuer_.begin(thread, flow, earliest);
  }
  void cancel(ThreadId thread) override { issuer_.cancel(thread); }
  void hold_slot(PeId pe, Cycle from, Cycle until) override { issuer_.hold_slot(pe, from, until); }
  void fetch(PeId pe) const override {
    prefetch(&pes_[pe]);
    const ChannelId first = parts_.channels.first(pe);
    const bool has_channels = first != parts_.channels.first(pe + 1);
    if (has_channels) prefetch(&state_.channels().ramps(first));
  }
  bool slot_held(PeId pe, Cycle now) const override { return issuer_.slot_held(pe, now); }
  Head head(ChannelId channel, Cycle now) const override { return ramps_.head(channel, now); }
  std::uint32_t head_data(ChannelId channel) const override { return ramps_.head_data(channel); }
  bool has_controls(PeId pe) const override { return ramps_.has_controls(pe); }
  std::uint32_t pick(ChannelId channel, Cycle now) override { return ramps_.pick(channel, now); }
  Writable writable(ChannelId channel) const override { return switching_.writable(channel); }
  void elements_come(PeId pe, Cycle from) override { agenda_.add(pe, from); }
  void write(const ConfigurationWrite& write) override { switching_.write(write); }

  Cycle next() const override { return std::min(agenda_.next(), border_.first_effect()); }
  Cycle run(Cycle from, Cycle until, const std::atomic<bool>* stop) override;
  void take_in() override { border_.take_in(); }
  void flush(Cycle end, bool /*reads_memory*/) override { issuer_.flush(end); }

  QueueCounts& counts() override { return counts_; }
  // Also to take up what a machine that has stopped held.
  StepperState& states() override { return whole_; }
  const Inspector& inspector() const override { return view_; }

 private:
  // The visits of a cycle.
  void step(std::span<const PeId> due, Cycle now);

  const FirstTrap& trap_;
  Relay relay_;
  Agenda agenda_;
  SteppedPes pes_;
  FabricParts parts_;
  RouterState state_;
  PeRamps ramps_;
  Switching switching_;
  Border border_;
  Fabric fabric_;
  Issuer issuer_;
  StepperView view_;
  StepperCounts counts_;
  StepperState whole_;
};

}  // namespace wse::vm
