// From what is used to routers: routes, queues, and where the links lead.
#include "vm/stepper/channels.h"

#include "isa/support/mutant.h"
#include "vm/contract/router_rules.h"

namespace wse::vm {
namespace {

std::uint32_t depth_of(QueuePort port, const isa::Profile& profile) {
  switch (port) {
    case QueuePort::UpRamp: return profile.up_ramp_depth;
    case QueuePort::DownRamp: return profile.down_ramp_depth;
    default: return profile.router_depth + (isa::mutant(isa::Mutant::RouterDepth) ? 1 : 0);
  }
}

constexpr std::uint32_t kRamp = isa::bit(isa::Port::Ramp);

// Calls visit(port) for the queues of the mask, in ascending order.
template <class Visit>
void for_each_queue(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<QueuePort>(std::countr_zero(mask)));
}

}  // namespace

Channels::Channels(const isa::Image& image, const isa::Topology& mesh, const isa::Profile& profile,
                   const ChannelMap& map, const PeRange& pes, Queues& queues)
    : mesh_(mesh),
      map_(map),
      pes_(pes),
      first_(map.first(pes.first)),
      channels_(map.first(pes.end) - first_) {
  constexpr std::uint32_t kRamps =
      Channel::bit(QueuePort::UpRamp) | Channel::bit(QueuePort::DownRamp);
  for (PeId pe = pes.first; pe < pes.end; ++pe) {
    ChannelId id = map.first(pe);
    for (std::uint32_t rest = map.colours(pe); rest != 0; rest &= rest - 1) {
      const auto colour = static_cast<std::uint32_t>(std::countr_zero(rest));
      Channel& channel = (*this)[id++];
      channel.pe = pe;
      channel.colour = static_cast<std::uint8_t>(colour);
      channel.has_data_task = (map.data_tasks(pe) >> colour & 1) != 0;
      if ((map.endpoints(pe) >> colour & 1) != 0) channel.queue_mask = kRamps;
    }
  }
  for (const isa::Route& route : image.routes) set_route(route);
  for (const ChannelMap::Written& written : map.written()) {
    make_room(written.pe, written.colour, *written.routing);
  }
  for (const isa::Stream& stream : image.streams) {
    isa::for_each(stream.rect, [&](std::uint32_t x, std::uint32_t y) {
      const PeId pe = mesh_.pe_at(x, y);
      if (!stream.enters || !pes_.contains(pe)) return;
      at(pe, stream.colour).queue_mask |= Channel::bit(input_queue(stream.side));
    });
  }
  make_queues(profile, queues);
}

void Channels::set_route(const isa::Route& route) {
  isa::for_each(route.rect, [&](std::uint32_t x, std::uint32_t y) {
    const PeId pe = mesh_.pe_at(x, y);
    if (pes_.contains(pe)) {
      Channel& channel = at(pe, route.colour);
      channel.routing = &route.routing;
      channel.torn_down = route.torn_down;
      channel.position = static_cast<std::uint8_t>(route.start);
    }
    make_room(pe, route.colour, route.routing);
  });
}

void Channels::make_room(PeId pe, std::uint32_t colour, const isa::Routing& routing) {
  if (pes_.contains(pe)) at(pe, colour).ports |= all_targets(routing);
  for_each_queue(mesh_, pe, routing, [&](PeId where, QueuePort port) {
    if (pes_.contains(where)) at(where, colour).queue_mask |= Channel::bit(port);
  });
}

std::optional<PeId> Channels::across(const Channel& channel, isa::Port port) const {
  if (port == isa::Port::Ramp || pes_.size() == mesh_.pes()) return std::nullopt;
  const std::optional<PeId> there = mesh_.neighbour(channel.pe, port);
  return there && pes_.contains(*there) ? std::nullopt : there;
}

void Channels::make_queues(const isa::Profile& profile, Queues& queues) {
  const std::uint32_t link_depth = depth_of(input_queue(isa::Port::East), profile);
  std::vector<QueueId> ghosts;
  std::size_t count = 0;
  std::size_t targets = 0;
  for (const Channel& channel : channels_) {
    count += ones(channel.queue_mask);
    targets += ones(channel.ports);
  }
  queues_.reserve(count);
  targets_.reserve(targets);
  for (Channel& channel : channels_) {
    channel.first_queue = static_cast<std::uint32_t>(queues_.size());
    for_each_queue(channel.queue_mask, [&](QueuePort port) {
      queues_.push_back(queues.reserve(depth_of(port, profile)));
    });
    for_each_port(channel.ports, [&](isa::Port port) {
      if (across(channel, port)) ghosts.push_back(queues.reserve(link_depth));
    });
  }
  queues.allocate();
  ramps_.reserve(channels_.size());
  for (Channel& channel : channels_) {
    const QueueId* queue = queues_.data() + channel.first_queue;
    for_each_queue(channel.queue_mask, [&](QueuePort port) {
      const std::uint32_t standing = port == QueuePort::DownRamp ? 0 : standing_bit(channel);
      queues.open(*queue++, depth_of(port, profile), {channel.pe, standing});
    });
    channel.down = this->queue(channel, QueuePort::DownRamp);
    ramps_.push_back({this->queue(channel, QueuePort::UpRamp), channel.down});
  }
  auto ghost = ghosts.cbegin();
  for (Channel& channel : channels_) {
    connect(channel, link_depth, queues, ghost);
    if (channel.routing != nullptr) go_to(channel, channel.position);
  }
}

void Channels::connect(Channel& channel, std::uint32_t link_depth, Queues& queues,
                       std::vector<QueueId>::const_iterator& ghost) {
  channel.first_target = static_cast<std::uint32_t>(targets_.size());
  for_each_port(channel.ports, [&](isa::Port port) {
    const std::optional<PeId> there = across(channel, port);
    targets_.push_back(there ? *ghost++ : target_of(channel, port));
    if (there) queues.open(targets_.back(), link_depth, {*there, 0});
    channel.leads_out |= targets_.back() == kNoQueue;
  });
}

void Channels::go_to(Channel& channel, std::size_t position) const {
  const isa::SwitchPosition& current = channel.routing->positions[position];
  channel.position = static_cast<std::uint8_t>(position);
  channel.from = queue(channel, input_queue(current.rx));
  channel.tx = current.tx;
  channel.rx = current.rx;
  channel.links = {kNoQueue, kNoQueue};
  std::size_t links = 0;
  for_each_target(channel, current.tx & ~kRamp, [&](isa::Port, QueueId target) {
    if (links < channel.links.size()) channel.links[links++] = target;
  });
  update_plain(channel);
}

void Channels::update_plain(Channel& channel) const {
  const bool always = channel.is_routed() && !channel.leads_out && channel.extra == kNoExtra;
  const std::uint32_t links = ones(channel.tx & ~kRamp);
  channel.plain = always && !channel.torn_down && channel.unwanted == 0 &&
                  links <= channel.links.size() && !across(channel, channel.rx);
  for_each_port(channel.tx, [&](isa::Port port) { channel.plain &= !across(channel, port); });
}

QueueId Channels::target_of(const Channel& channel, isa::Port port) const {
  if (port == isa::Port::Ramp) return channel.down;
  const std::optional<PeId> there = mesh_.neighbour(channel.pe, port);
  if (!there) return kNoQueue;
  return queue((*this)[find(*there, channel.colour)], input_queue(isa::opposite(port)));
}

}  // namespace wse::vm
