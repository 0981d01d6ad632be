// Channels: the (PE, colour) pairs that are in use, with their routes and queues.
//
// A PE uses few of the 24 colours. A mask per PE and two prefix sums find a channel and its queues
// without a table of all pairs.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/image.h"
#include "isa/profile.h"
#include "isa/topology.h"
#include "vm/fabric/queue.h"

namespace wse::vm {

using ChannelId = std::uint32_t;
inline constexpr ChannelId kNoChannel = ~0u;
inline constexpr QueueId kNoQueue = ~0u;
inline constexpr std::uint32_t kNoExtra = ~0u;

// The queues of a channel: one for each port from which wavelets come, numbered as the ports, and
// the down-ramp.
enum class QueuePort : std::uint8_t {
  UpRamp = static_cast<std::uint8_t>(isa::Port::Ramp),
  DownRamp = isa::kPorts
};
inline constexpr std::uint32_t kQueuePorts = isa::kPorts + 1;

constexpr QueuePort input_queue(isa::Port rx) { return static_cast<QueuePort>(rx); }

// The ones of a mask. std::popcount is a call where the compiler may not use the instruction.
constexpr std::uint32_t ones(std::uint32_t mask) {
  mask -= mask >> 1 & 0x55555555u;
  mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0fu;
  return mask * 0x01010101u >> 24;
}
static_assert(ones(0) == 0 && ones(0x800001) == 2 && ones(~0u) == 32);

// Calls visit(port) for the ports of the mask.
template <class Visit>
void for_each_port(std::uint32_t ports, Visit visit) {
  for (std::uint32_t rest = ports; rest != 0; rest &= rest - 1) {
    visit(static_cast<isa::Port>(std::countr_zero(rest)));
  }
}

struct Channel {
  PeId pe = 0;
  std::uint8_t colour = 0;
  std::uint8_t position = 0;       // current switch position
  bool torn_down = false;          // its wavelets wait
  bool has_data_task = false;      // what arrives here may start a task
  bool leads_out = false;          // some position sends off the grid
  std::uint16_t unwanted = 0;      // control wavelets in the down-ramp that nobody takes
  std::uint32_t ports = 0;         // all to which some position may send: bit(isa::Port)
  std::uint32_t first_target = 0;  // of its targets, one for each of these ports
  std::uint32_t queue_mask = 0;    // bit per QueuePort that exists
  QueueId first_queue = 0;
  std::uint32_t extra = kNoExtra;         // of what only few channels have: filter, streams
  const isa::Routing* routing = nullptr;  // nullptr: nothing routes this colour here

  const isa::SwitchPosition* current() const {
    return routing == nullptr ? nullptr : &routing->positions[position];
  }
  bool has(QueuePort port) const { return (queue_mask & bit(port)) != 0; }
  QueueId queue(QueuePort port) const { return first_queue + ones(queue_mask & (bit(port) - 1)); }
  static constexpr std::uint32_t bit(QueuePort port) {
    return 1u << static_cast<std::uint32_t>(port);
  }
};
static_assert(isa::fits<decltype(Channel::colour)>(&isa::Profile::colours));
static_assert(isa::fits<decltype(Channel::position)>(&isa::Profile::switch_positions));
static_assert(isa::fits<decltype(Channel::unwanted)>(&isa::Profile::down_ramp_depth));

class Channels {
 public:
  // Finds out what is used: add all routes and endpoints, then build() once. The image must stay.
  Channels(const isa::Image& image, const isa::Topology& mesh);

  // The program of `pe` names the colour in a descriptor. An endpoint has both ramps.
  void add_endpoint(PeId pe, std::uint32_t colour);

  // The program of `pe` configures the colour.
  void add_configured(PeId pe, std::uint32_t colour) { mark(pe, colour); }
  // The program of `pe` may write this routing: its queues, and those behind its links, must exist.
  void add_routing(PeId pe, std::uint32_t colour, const isa::Routing& routing);
  // A task of `pe` takes the wavelets of the colour: an endpoint that wakes the picker.
  void add_data_task(PeId pe, std::uint32_t colour);

  // Errors: two routes for the same colour at one PE.
  isa::Status build();

  ChannelId find(PeId pe, std::uint32_t colour) const {
    const std::uint32_t bit = 1u << colour;
    if ((masks_[pe] & bit) == 0) return kNoChannel;
    return first_[pe] + ones(masks_[pe] & (bit - 1));
  }
  // The channels of a PE in ascending order of their colours.
  std::span<Channel> of(PeId pe) {
    return std::span(channels_).subspan(first_[pe], first_[pe + 1] - first_[pe]);
  }
  std::span<const Channel> of(PeId pe) const {
    return std::span(channels_).subspan(first_[pe], first_[pe + 1] - first_[pe]);
  }
  const Channel& operator[](ChannelId id) const { return channels_[id]; }
  Channel& operator[](ChannelId id) { return channels_[id]; }
  std::size_t size() const { return channels_.size(); }
  std::size_t queue_count() const { return queue_count_; }

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
  // A routing that a program may write, at one PE.
  struct Written {
    PeId pe;
    std::uint32_t colour;
    const isa::Routing* routing;
  };

  void mark(PeId pe, std::uint32_t colour) { masks_[pe] |= 1u << colour; }
  void mark_links(PeId pe, std::uint32_t colour, std::uint32_t ports);
  void mark_route(const isa::Route& route);
  // Marks the PEs of a filter or a stream, up to the first that has one already.
  void mark_once(const isa::StridedRect& rect, std::uint32_t colour,
                 std::vector<std::uint32_t>& taken, std::string_view what);
  void set_route(const isa::Route& route);
  // Gives the channel what a routing needs: queues here and behind its links.
  void make_room(Channel& channel, const isa::Routing& routing);
  void number_queues();
  void connect(Channel& channel);
  QueueId target_of(const Channel& channel, isa::Port port) const;

  const isa::Image& image_;
  const isa::Topology& mesh_;
  static_assert(isa::fits_mask<std::uint32_t>(&isa::Profile::colours));
  std::vector<std::uint32_t> masks_;       // colours in use, by PE
  std::vector<std::uint32_t> routed_;      // colours that a route was given for, by PE
  std::vector<std::uint32_t> endpoints_;   // colours that the program names, by PE
  std::vector<std::uint32_t> data_tasks_;  // colours with a data task, by PE
  std::vector<ChannelId> first_;           // by PE, one more at the end
  std::vector<Written> written_;
  std::vector<Channel> channels_;
  std::vector<QueueId> targets_;  // of all channels
  std::size_t queue_count_ = 0;
  isa::Status status_;
};

}  // namespace wse::vm
