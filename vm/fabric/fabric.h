// The fabric: routers, links and ramps, stepped cycle by cycle.
//
// Registered everything: what happens in a cycle depends only on the state at its start, so routers
// may be visited in any order. Timeline of an element issued in cycle t to a PE h links away:
//
//     t          issue
//     t+1        enters the up-ramp
//     t+1+T_R    its own router may move it; the k-th router k cycles later
//     t+1+2*T_R+h   the receiver may issue it
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/profile.h"
#include "vm/agenda.h"
#include "vm/counters.h"
#include "vm/fabric/channels.h"
#include "vm/trace.h"
#include "vm/trap_report.h"

namespace wse::vm {

class Fabric {
 public:
  // All references must live longer than the fabric.
  Fabric(const Mesh& mesh, const isa::Profile& profile, Channels channels, Agendas& agendas,
         Counters& counters, FirstTrap& trap, Tracer& tracer);

  ChannelId channel(PeId pe, std::uint32_t colour) const { return channels_.find(pe, colour); }
  const Channels& channels() const { return channels_; }
  const Queues& queues() const { return queues_; }

  // ---- the PE's side of the ramps
  // What can be taken from the down-ramp in this cycle: at most one wavelet per cycle leaves it.
  enum class Head : std::uint8_t { None, Data, Control };
  Head head(ChannelId channel, Cycle now) const;
  std::uint32_t head_data(ChannelId channel) const {
    return queues_.head(channels_[channel].queue(QueuePort::DownRamp)).data;
  }
  bool input_visible(ChannelId channel, Cycle now) const {
    return head(channel, now) == Head::Data;
  }
  std::uint32_t take_input(ChannelId channel, Cycle now);
  // The same before the issue slots have their turn: they and the picker look at what stood behind
  // it in the next cycle.
  std::uint32_t pick_input(ChannelId channel, Cycle now);
  // Whether control wavelets wait in the down-ramps of the PE.
  bool has_controls(PeId pe) const { return controls_[pe] > 0; }
  // Takes those that can be taken and start no task.
  void drop_null_entries(PeId pe, Cycle now);
  bool has_room(ChannelId channel, Cycle now) const;
  void inject(ChannelId channel, std::uint32_t data, Cycle now);

  // Every router that has work in this cycle moves what it can.
  void step(Cycle now);

  // ---- counters that belong to places
  std::uint64_t links_used() const;
  std::uint64_t max_link_load() const;
  std::uint64_t max_ramp_wavelets() const;
  // Wavelets in any queue, ramps included.
  std::uint64_t wavelets_left() const;

 private:
  void step_router(PeId pe, Cycle now);
  // Moves the head of the channel's current input if the rules allow it; `used` are the tx ports
  // that earlier colours took in this cycle. True if it moved.
  bool move(Channel& channel, std::uint32_t& used, Cycle now);
  bool all_have_room(const Channel& channel, std::uint32_t tx, Cycle now) const;
  bool leaves_grid(const Channel& channel, std::uint32_t tx, Cycle now);
  void deliver(const Channel& channel, isa::Port port, Wavelet wavelet, Cycle now);

  const Mesh& mesh_;
  const isa::Profile& profile_;
  Channels channels_;
  Queues queues_;
  Agendas& agendas_;
  Counters& counters_;
  FirstTrap& trap_;
  Tracer& tracer_;
  std::vector<std::array<std::uint64_t, 4>> link_loads_;  // by PE and outgoing link port
  std::vector<std::uint32_t> controls_;                   // control wavelets in down-ramps, by PE
  std::vector<std::uint64_t> ramp_loads_;                 // wavelets delivered, by PE
};

}  // namespace wse::vm
