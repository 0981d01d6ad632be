// The channels of the stepper: routes, queues and what else a router knows of a colour.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "vm/contract/transport.h"
#include "vm/load/channel_map.h"
#include "vm/stepper/queue.h"
#include "vm/support/large_pages.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

inline constexpr std::uint32_t kNoExtra = ~0u;

struct alignas(64) Channel {
  // ---- the current switch position, set by Channels::go_to
  QueueId from = kNoQueue;  // from which it takes
  std::uint32_t tx = 0;     // the ports to which it sends: bit(isa::Port)
  // The queues behind the links of these, in ascending order; the first two of more.
  std::array<QueueId, 2> links = {kNoQueue, kNoQueue};
  isa::Port rx = isa::Port::Ramp;  // the port from which it takes
  std::uint8_t position = 0;
  // Whether `from`, `links` and `down` alone decide where a data wavelet goes, and none of them
  // belongs to another strip. Set by Channels::update_plain.
  bool plain = false;

  // ---- all positions
  std::uint8_t colour = 0;
  PeId pe = 0;
  QueueId down = kNoQueue;                // the queue of its down-ramp
  std::uint32_t ports = 0;                // all to which some position may send
  std::uint32_t first_target = 0;         // of its targets, one for each of these ports
  std::uint32_t queue_mask = 0;           // bit per QueuePort that exists
  std::uint32_t first_queue = 0;          // of its queues, one for each of them
  std::uint32_t extra = kNoExtra;         // of what only few channels have: filter, streams
  const isa::Routing* routing = nullptr;  // nullptr: nothing routes this colour here
  bool torn_down = false;                 // its wavelets wait
  bool has_data_task = false;             // what arrives here may start a task
  bool leads_out = false;                 // some position sends off the grid
  std::uint16_t unwanted = 0;             // control wavelets in the down-ramp that nobody takes

  bool is_routed() const { return from != kNoQueue; }
  bool has(QueuePort port) const { return (queue_mask & bit(port)) != 0; }
  static constexpr std::uint32_t bit(QueuePort port) {
    return 1u << static_cast<std::uint32_t>(port);
  }
};
static_assert(sizeof(Channel) == 64);
static_assert(isa::fits<decltype(Channel::colour)>(&isa::Profile::colours));
static_assert(isa::fits<decltype(Channel::position)>(&isa::Profile::switch_positions));
static_assert(isa::fits<decltype(Channel::unwanted)>(&isa::Profile::down_ramp_depth));

// The queues between the router and the PE; kNoQueue if there are none.
struct Ramps {
  QueueId up = kNoQueue;
  QueueId down = kNoQueue;
};

class Channels {
 public:
  // Makes the channels of the PEs `pes`. The channels of the map have their numbers. Their queues,
  // and a ghost for each queue of another PE that they lead to, are made in `queues`. Routings of
  // the image, the mesh and the map must stay.
  Channels(const isa::Image& image, const isa::Topology& mesh, const isa::Profile& profile,
           const ChannelMap& map, const PeRange& pes, Queues& queues);

  ChannelId find(PeId pe, std::uint32_t colour) const { return map_.find(pe, colour); }
  std::uint32_t colours(PeId pe) const { return map_.colours(pe); }  // in use, as bits
  // The channels of a PE in ascending order of their colours.
  std::span<const Channel> of(PeId pe) const {
    return {channels_.data() + index(map_.first(pe)), channels_.data() + index(map_.first(pe + 1))};
  }
  // Returns the channel of its lowest colour; the others follow.
  Channel* first_of(PeId pe) { return channels_.data() + index(map_.first(pe)); }
  const Channel* first_of(PeId pe) const { return channels_.data() + index(map_.first(pe)); }
  // The bit of the channel at its router, see Fabric.
  std::uint32_t standing_bit(const Channel& channel) const {
    return 1u << (&channel - first_of(channel.pe));
  }
  ChannelId id_of(const Channel& channel) const {
    return first_ + static_cast<ChannelId>(&channel - channels_.data());
  }
  const Channel& operator[](ChannelId id) const { return channels_[index(id)]; }
  Channel& operator[](ChannelId id) { return channels_[index(id)]; }
  // The PE uses the colour.
  Channel& at(PeId pe, std::uint32_t colour) { return (*this)[map_.find(pe, colour)]; }

  // Beside each other for the channels of a PE, which looks at them before its router does.
  const Ramps& ramps(ChannelId id) const { return ramps_[index(id)]; }
  // kNoQueue if the channel has none there.
  QueueId queue(const Channel& channel, QueuePort port) const {
    if (!channel.has(port)) return kNoQueue;
    return queues_[channel.first_queue + ones(channel.queue_mask & (Channel::bit(port) - 1))];
  }
  // All queues of the channel.
  std::span<const QueueId> queues(const Channel& channel) const {
    return std::span(queues_).subspan(channel.first_queue, ones(channel.queue_mask));
  }
  // All queues of all channels, without ghosts.
  std::span<const QueueId> queues() const { return queues_; }

  // Another position of its routing, or the first one of a new routing.
  void go_to(Channel& channel, std::size_t position) const;
  // Finds out again whether the channel is plain. Must follow every change of the channel.
  void update_plain(Channel& channel) const;

  // Calls visit(port, queue) for the ports `tx` of the channel: where a wavelet sent there goes.
  // kNoQueue where the grid ends.
  template <class Visit>
  void for_each_target(const Channel& channel, std::uint32_t tx, Visit visit) const {
    const QueueId* target = targets_.data() + channel.first_target;
    for (std::uint32_t rest = channel.ports; rest != 0; rest &= rest - 1, ++target) {
      if ((tx & rest & (~rest + 1)) == 0) continue;
      visit(static_cast<isa::Port>(std::countr_zero(rest)), *target);
    }
  }

 private:
  std::size_t index(ChannelId id) const { return id - first_; }
  void set_route(const isa::Route& route);
  // Gives a channel what a routing needs, as far as it is here: queues of its own and behind its
  // links.
  void make_room(PeId pe, std::uint32_t colour, const isa::Routing& routing);
  void make_queues(const isa::Profile& profile, Queues& queues);
  // The queues to which the channel sends; `ghost` is the next of those that were reserved.
  void connect(Channel& channel, std::uint32_t link_depth, Queues& queues,
               std::vector<QueueId>::const_iterator& ghost);
  // The PE of another strip to which the port leads.
  std::optional<PeId> across(const Channel& channel, isa::Port port) const;
  QueueId target_of(const Channel& channel, isa::Port port) const;

  const isa::Topology& mesh_;
  const ChannelMap& map_;
  PeRange pes_;
  ChannelId first_;
  LargeVector<Channel> channels_;
  LargeVector<Ramps> ramps_;      // of all channels
  LargeVector<QueueId> queues_;   // of all channels, by port
  LargeVector<QueueId> targets_;  // of all channels, by port
};

}  // namespace wse::vm
