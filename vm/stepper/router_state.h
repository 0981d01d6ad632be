// The state of the routers of a strip: their channels and queues, and which channels have something
// standing, so that nobody looks at the others.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "vm/contract/link_sums.h"
#include "vm/contract/streams.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/ledger.h"
#include "vm/stepper/channels.h"
#include "vm/stepper/crossings.h"
#include "vm/stepper/filter_state.h"
#include "vm/stepper/queue_peaks.h"
#include "vm/stepper/stepped_pe.h"
#include "vm/support/agenda.h"
#include "vm/support/prefetch.h"

namespace wse::vm {

// The surroundings of the routers of a strip; all must live longer.
struct FabricParts {
  const isa::Image& image;
  const isa::Topology& mesh;
  const isa::Profile& profile;
  const ChannelMap& channels;
  PeRange pes;                 // those of its strip
  SteppedPes& stepped;         // the same
  Link& link;                  // to the other strips
  std::span<const PeId> ends;  // by strip: after its last PE
  Agenda& agenda;              // of the PEs that the stepper must look at
  Streams& streams;
  Ledger& ledger;
  FirstTrap& trap;
  TransportClient& client;
};

// Parts that only few channels have.
struct ChannelExtra {
  FilterState filter;
  std::uint64_t dropped = 0;  // data wavelets that the filter kept away from the PE
  // By link port: the stream that enters, or leaves, there.
  std::array<StreamEndId, 4> enters = {kNoStream, kNoStream, kNoStream, kNoStream};
  std::array<StreamEndId, 4> leaves = {kNoStream, kNoStream, kNoStream, kNoStream};
};

class RouterState {
 public:
  explicit RouterState(const FabricParts& parts)
      : channels_(parts.image, parts.mesh, parts.profile, parts.channels, parts.pes, queues_),
        stepped_(parts.stepped) {}

  Channels& channels() { return channels_; }
  const Channels& channels() const { return channels_; }
  Queues& queues() { return queues_; }
  const Queues& queues() const { return queues_; }
  // Whoever puts a wavelet into a queue without put() notes it here.
  QueuePeaks& peaks() { return peaks_; }
  const QueuePeaks& peaks() const { return peaks_; }
  // Before the first cycle: what leaves over links is counted.
  void keep_links(const isa::Topology& mesh) { links_.emplace(mesh); }
  // Null if it is not.
  LinkSums* links() { return links_ ? &*links_ : nullptr; }

  // The parts of a channel that few have; the first one makes them.
  ChannelExtra& make_extra(ChannelId channel);
  // Returns those of a channel that has them.
  ChannelExtra& extra(const Channel& channel) { return extras_[channel.extra]; }
  const ChannelExtra& extra(const Channel& channel) const { return extras_[channel.extra]; }

  // See SteppedPe.
  std::uint32_t& standing(PeId pe) { return stepped_[pe].standing; }
  std::uint32_t standing(PeId pe) const { return stepped_[pe].standing; }
  std::uint32_t& controls(PeId pe) { return stepped_[pe].controls; }
  std::uint32_t controls(PeId pe) const { return stepped_[pe].controls; }

  // Whether threads of the PE move elements: who begins later looks whether something is there.
  bool has_threads(PeId pe) const { return stepped_[pe].issuing.moving != 0; }

  void stand(const Channel& channel) { standing(channel.pe) |= channels_.standing_bit(channel); }
  bool stands(const Channel& channel) const {
    if (channel.plain) return !queues_[channel.from].empty();
    return channel.extra != kNoExtra || channel.unwanted > 0 ||
           (channel.is_routed() && !queues_[channel.from].empty());
  }
  // Into a queue of this strip, whose reader looks at it when it can take it.
  void put(QueueId id, Wavelet wavelet, const Agenda::Due& visible) {
    Queue& queue = queues_[id];
    queue.push(wavelet, visible.cycle());
    peaks_.note(id);
    standing(queue.reader().pe) |= queue.reader().standing;
    visible.add(queue.reader().pe);
  }

  // These ask the host for what a step of the PE will look at: first for its channels that stand, a
  // little later for queues.
  [[gnu::always_inline]] void prefetch_channels(PeId pe, std::uint32_t standing) const {
    for (std::uint32_t rest = standing; rest != 0; rest &= rest - 1) {
      prefetch(channels_.first_of(pe) + std::countr_zero(rest));
    }
  }
  [[gnu::always_inline]] void prefetch_queues(PeId pe, std::uint32_t standing) const {
    for (std::uint32_t rest = standing; rest != 0; rest &= rest - 1) {
      const Channel& channel = channels_.first_of(pe)[std::countr_zero(rest)];
      if (channel.from != kNoQueue) prefetch(&queues_[channel.from]);
      if (channel.links[0] != kNoQueue) prefetch(&queues_[channel.links[0]]);
      if (channel.down == kNoQueue) continue;
      prefetch(&queues_[channel.down]);
      prefetch(queues_.second_line(channel.down));
    }
  }
  // Calls visit(queue) for those that the router of the PE may look at when it is stepped.
  template <class Visit>
  [[gnu::always_inline]] void for_each_near_queue(PeId pe, const Visit& visit) const {
    for (std::uint32_t rest = standing(pe); rest != 0; rest &= rest - 1) {
      const Channel& channel = channels_.first_of(pe)[std::countr_zero(rest)];
      for (const QueueId queue : {channel.from, channel.links[0], channel.down}) {
        if (queue != kNoQueue) visit(queue);
      }
    }
  }

 private:
  Queues queues_;
  QueuePeaks peaks_;
  std::optional<LinkSums> links_;
  Channels channels_;
  std::vector<ChannelExtra> extras_;
  SteppedPes& stepped_;
};

}  // namespace wse::vm
