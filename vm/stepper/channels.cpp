// From what is used to routers: routes, queues, and where the links lead.
#include "vm/stepper/channels.h"

namespace wse::vm {

Channels::Channels(const isa::Image& image, const isa::Topology& mesh, const ChannelMap& map)
    : mesh_(mesh), map_(map), channels_(map.size()) {
  constexpr std::uint32_t kRamps =
      Channel::bit(QueuePort::UpRamp) | Channel::bit(QueuePort::DownRamp);
  for (PeId pe = 0; pe < mesh_.pes(); ++pe) {
    ChannelId id = map.first(pe);
    for (std::uint32_t rest = map.colours(pe); rest != 0; rest &= rest - 1) {
      const auto colour = static_cast<std::uint32_t>(std::countr_zero(rest));
      Channel& channel = channels_[id++];
      channel.pe = pe;
      channel.colour = static_cast<std::uint8_t>(colour);
      channel.has_data_task = (map.data_tasks(pe) >> colour & 1) != 0;
      if ((map.endpoints(pe) >> colour & 1) != 0) channel.queue_mask = kRamps;
    }
  }
  for (const isa::Route& route : image.routes) set_route(route);
  for (const ChannelMap::Written& written : map.written()) {
    make_room(channels_[find(written.pe, written.colour)], *written.routing);
  }
  for (const isa::Stream& stream : image.streams) {
    isa::for_each(stream.rect, [&](std::uint32_t x, std::uint32_t y) {
      Channel& channel = channels_[find(mesh_.pe_at(x, y), stream.colour)];
      if (stream.enters) channel.queue_mask |= Channel::bit(input_queue(stream.side));
    });
  }
  number_queues();
}

void Channels::set_route(const isa::Route& route) {
  isa::for_each(route.rect, [&](std::uint32_t x, std::uint32_t y) {
    Channel& channel = channels_[find(mesh_.pe_at(x, y), route.colour)];
    channel.routing = &route.routing;
    channel.torn_down = route.torn_down;
    make_room(channel, route.routing);
  });
}

void Channels::make_room(Channel& channel, const isa::Routing& routing) {
  const std::uint32_t tx = all_targets(routing);
  channel.ports |= tx;
  for (const isa::SwitchPosition& position : routing.positions) {
    channel.queue_mask |= Channel::bit(input_queue(position.rx));
  }
  if ((tx & isa::bit(isa::Port::Ramp)) != 0) {
    channel.queue_mask |= Channel::bit(QueuePort::DownRamp);
  }
  for_each_port(tx & ~isa::bit(isa::Port::Ramp), [&](isa::Port port) {
    const std::optional<PeId> there = mesh_.neighbour(channel.pe, port);
    if (!there) return;
    channels_[find(*there, channel.colour)].queue_mask |=
        Channel::bit(input_queue(isa::opposite(port)));
  });
}

void Channels::number_queues() {
  for (Channel& channel : channels_) {
    channel.first_queue = static_cast<QueueId>(queue_count_);
    queue_count_ += ones(channel.queue_mask);
  }
  for (Channel& channel : channels_) connect(channel);
}

void Channels::connect(Channel& channel) {
  channel.first_target = static_cast<std::uint32_t>(targets_.size());
  for_each_port(channel.ports, [&](isa::Port port) {
    targets_.push_back(target_of(channel, port));
    channel.leads_out |= targets_.back() == kNoQueue;
  });
}

QueueId Channels::target_of(const Channel& channel, isa::Port port) const {
  if (port == isa::Port::Ramp) return channel.queue(QueuePort::DownRamp);
  const std::optional<PeId> there = mesh_.neighbour(channel.pe, port);
  if (!there) return kNoQueue;
  return channels_[find(*there, channel.colour)].queue(input_queue(isa::opposite(port)));
}

}  // namespace wse::vm
