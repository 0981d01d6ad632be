// The strips of a machine that this process runs, top to bottom, and what they are together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "isa/machine/topology.h"
#include "vm/strips/loads.h"
#include "vm/strips/strip.h"

namespace wse::vm {

// Cuts a mesh into at most so many strips of whole rows with about as many of the PEs `placed`,
// which ascend, in each.
std::vector<PeRange> cut_rows(const isa::Topology& mesh, const std::vector<PeId>& placed,
                              std::uint32_t most);

class Strips : public Inspector {
 public:
  // All must stay.
  Strips(const ChannelMap& channels, History& history, Tracer& tracer)
      : channels_(channels), history_(history), tracer_(tracer) {}
  Strips(const Strips&) = delete;
  Strips& operator=(const Strips&) = delete;

  // Adds the strip with this number, below those that were added.
  Strip& add(std::uint32_t number, const PeRange& pes);

  std::size_t size() const { return strips_.size(); }
  auto begin() const { return strips_.begin(); }
  auto end() const { return strips_.end(); }
  Strip& operator[](std::size_t k) const { return *strips_[k]; }
  // Returns the PEs of all of them.
  PeRange pes() const;
  // For PEs and channels of these strips.
  Strip& of(PeId pe) const;
  Strip& of_channel(ChannelId channel) const;

  const Core& core(PeId pe) const { return of(pe).cores->core(pe); }
  bool is_done(PeId pe, Cycle now) const { return of(pe).cores->standstill().is_done(pe, now); }
  bool serves(ThreadId thread, Cycle now) const {
    return of(thread.pe).cores->standstill().serves(thread, now);
  }
  // Returns the earliest trap; ties go to the lowest PE.
  const TrapReport* first_trap() const;
  // Calls work(k) for the number of each, if possible on a thread of its own. Throws what the
  // first of those threw that failed, when all are over.
  void at_once(const std::function<void(std::size_t k)>& work) const;
  // Returns the sum over all strips.
  Counters counters() const;
  TransportTotals totals(const isa::Topology& mesh, const ArrivedBefore& before) const;

  // ---- Inspector
  ChannelState channel(ChannelId channel) const override;
  std::uint32_t queued(ChannelId channel, QueuePort port) const override;
  StandingWavelet wavelet(ChannelId channel, QueuePort port, std::uint32_t k) const override;
  std::uint32_t full_ports(ChannelId channel, Cycle now) const override;
  std::uint64_t dropped(ChannelId channel) const override;
  StreamEndId stream_in(ChannelId channel, isa::Port side) const override;
  std::vector<WaitingThread> waiting(PeId pe, Cycle now) const override;
  std::uint64_t refused(PeId pe, std::uint32_t fifo) const override;

 private:
  const Inspector& inspector(ChannelId channel) const {
    return of_channel(channel).transport->inspector();
  }

  const ChannelMap& channels_;
  History& history_;
  Tracer& tracer_;
  std::vector<std::unique_ptr<Strip>> strips_;
};

// Returns the last cycle in which a core was due, or up to which anything counted.
Cycle last_event(const Strips& strips);

}  // namespace wse::vm
