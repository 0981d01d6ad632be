// A wafer as it stands, for who explains a machine that stands still. It moves nothing; a look at a
// word may make it.
#pragma once

#include "vm/contract/router_rules.h"
#include "vm/planes/blocks/configuration.h"
#include "vm/planes/blocks/down_ramps.h"
#include "vm/planes/words/fifos.h"

namespace wse::vm::wafer {

class WaferView final : public Inspector {
 public:
  struct Parts {  // all must live longer
    const Grid& grid;
    const ChannelTable& channels;
    const RouterTable& table;
    const Configuration& configuration;
    const DownRamps& down_ramps;
    const RunLists& run_lists;
    Words& words;
    const Threads& threads;
    const IssueTable& issue;
    const Fifos& fifos;
  };
  explicit WaferView(const Parts& parts) : parts_(parts) {}

  ChannelState channel(ChannelId channel) const override;
  std::uint32_t queued(ChannelId channel, QueuePort port) const override;
  StandingWavelet wavelet(ChannelId channel, QueuePort port, std::uint32_t k) const override;
  std::uint32_t full_ports(ChannelId channel, Cycle now) const override;
  std::uint64_t dropped(ChannelId channel) const override;
  StreamEndId stream_in(ChannelId channel, isa::Port side) const override;
  std::vector<WaitingThread> waiting(PeId pe, Cycle now) const override;
  std::uint64_t refused(PeId pe, std::uint32_t fifo) const override;

 private:
  // Fills in the FIFOs that keep the thread from issuing.
  void wait_for_fifos(const Thread& thread, WaitingThread& waiting) const;
  bool is_full(const Channel& channel, isa::Port port) const;

  Parts parts_;
};

}  // namespace wse::vm::wafer
