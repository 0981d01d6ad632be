// A stepper as it stands, for who explains a machine that stands still. Must never change it.
#pragma once

#include "vm/stepper/fabric.h"
#include "vm/stepper/pe_ramps.h"
#include "vm/stepper/router_state.h"
#include "vm/stepper/thread_table.h"

namespace wse::vm {

class StepperView final : public Inspector {
 public:
  struct Peers {  // all must live longer
    const RouterState& state;
    const PeRamps& ramps;
    const Fabric& fabric;
    const ThreadTable& threads;
  };
  explicit StepperView(const Peers& peers)
      : state_(peers.state), ramps_(peers.ramps), fabric_(peers.fabric), threads_(peers.threads) {}

  ChannelState channel(ChannelId channel) const override;
  std::uint32_t queued(ChannelId channel, QueuePort port) const override;
  StandingWavelet wavelet(ChannelId channel, QueuePort port, std::uint32_t k) const override;
  std::uint32_t full_ports(ChannelId channel, Cycle now) const override;
  std::uint64_t dropped(ChannelId channel) const override;
  StreamEndId stream_in(ChannelId channel, isa::Port side) const override;
  std::vector<WaitingThread> waiting(PeId pe, Cycle now) const override;
  std::uint64_t refused(PeId pe, std::uint32_t fifo) const override;

 private:
  WaitingThread waiting(PeId pe, const MovingThread& thread, Cycle now) const;

  const RouterState& state_;
  const PeRamps& ramps_;
  const Fabric& fabric_;
  const ThreadTable& threads_;
};

}  // namespace wse::vm
