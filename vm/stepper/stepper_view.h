// A stepper as it stands, for who explains a machine that stands still. Must never change it.
#pragma once

#include "vm/stepper/fabric.h"
#include "vm/stepper/issuer.h"

namespace wse::vm {

class StepperView final : public Inspector {
 public:
  // Both must live longer.
  StepperView(const Fabric& fabric, const Issuer& issuer) : fabric_(fabric), issuer_(issuer) {}

  ChannelState channel(ChannelId channel) const override;
  std::uint32_t queued(ChannelId channel, QueuePort port) const override;
  StandingWavelet wavelet(ChannelId channel, QueuePort port, std::uint32_t k) const override;
  std::uint32_t full_ports(ChannelId channel, Cycle now) const override;
  std::uint64_t dropped(ChannelId channel) const override;
  StreamEndId stream_in(ChannelId channel, isa::Port side) const override;
  std::vector<WaitingThread> waiting(PeId pe, Cycle now) const override;
  std::uint64_t refused(PeId pe, std::uint32_t fifo) const override;

 private:
  const Fabric& fabric_;
  const Issuer& issuer_;
};

}  // namespace wse::vm
