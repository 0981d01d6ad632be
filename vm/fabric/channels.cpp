// Finds the channels that a program's routes and descriptors need, and numbers their queues.
#include "vm/fabric/channels.h"

#include <fmt/format.h>

namespace wse::vm {
namespace {

std::uint32_t all_targets(const isa::Routing& routing) {
  std::uint32_t tx = 0;
  for (const isa::SwitchPosition& position : routing.positions) tx |= position.tx;
  return tx;
}

}  // namespace

Channels::Channels(const isa::Image& image, const isa::Topology& mesh)
    : image_(image),
      mesh_(mesh),
      masks_(mesh.pes()),
      routed_(mesh.pes()),
      endpoints_(mesh.pes()),
      data_tasks_(mesh.pes()),
      first_(mesh.pes() + std::size_t{1}) {
  for (const isa::Route& route : image.routes) {
    if (status_) mark_route(route);
  }
  std::vector<std::uint32_t> filtered(image.filters.empty() ? 0 : mesh.pes());
  for (const isa::Filter& filter : image.filters) {
    if (status_) mark_once(filter.rect, filter.colour, filtered, "filters");
  }
  std::array<std::vector<std::uint32_t>, 2 * isa::kMeshPorts> ends;  // of streams, by way and side
  for (const isa::Stream& stream : image.streams) {
    const auto side = static_cast<std::size_t>(stream.side);
    std::vector<std::uint32_t>& taken = ends[2 * side + (stream.enters ? 1 : 0)];
    taken.resize(mesh.pes());
    if (status_) mark_once(stream.rect, stream.colour, taken, "streams");
  }
}

void Channels::mark_once(const isa::StridedRect& rect, std::uint32_t colour,
                         std::vector<std::uint32_t>& taken, std::string_view what) {
  isa::for_each_until(rect, [&](std::uint32_t x, std::uint32_t y) {
    const PeId pe = mesh_.pe_at(x, y);
    if ((taken[pe] >> colour & 1) != 0) {
      status_ = isa::fail(fmt::format("two {} for colour {} at PE({}, {})", what,
                                      image_.colour_name(colour), x, y));
      return false;
    }
    taken[pe] |= 1u << colour;
    mark(pe, colour);
    return true;
  });
}

void Channels::mark_links(PeId pe, std::uint32_t colour, std::uint32_t ports) {
  for_each_port(ports & ~isa::bit(isa::Port::Ramp), [&](isa::Port port) {
    if (const std::optional<PeId> there = mesh_.neighbour(pe, port)) mark(*there, colour);
  });
}

// The first PE with two routes ends it, so that all routes together visit no PE twice per colour.
void Channels::mark_route(const isa::Route& route) {
  const std::uint32_t tx = all_targets(route.routing);
  isa::for_each_until(route.rect, [&](std::uint32_t x, std::uint32_t y) {
    const PeId pe = mesh_.pe_at(x, y);
    if ((routed_[pe] >> route.colour & 1) != 0) {
      status_ = isa::fail(fmt::format("two routes for colour {} at PE({}, {})",
                                      image_.colour_name(route.colour), x, y));
      return false;
    }
    routed_[pe] |= 1u << route.colour;
    mark(pe, route.colour);
    mark_links(pe, route.colour, tx);
    return true;
  });
}

void Channels::add_endpoint(PeId pe, std::uint32_t colour) {
  mark(pe, colour);
  endpoints_[pe] |= 1u << colour;
}

void Channels::add_routing(PeId pe, std::uint32_t colour, const isa::Routing& routing) {
  mark(pe, colour);
  mark_links(pe, colour, all_targets(routing));
  written_.push_back({pe, colour, &routing});
}

void Channels::add_data_task(PeId pe, std::uint32_t colour) {
  add_endpoint(pe, colour);
  data_tasks_[pe] |= 1u << colour;
}

isa::Status Channels::build() {
  if (!status_) return status_;
  for (PeId pe = 0; pe < mesh_.pes(); ++pe) {
    first_[pe + 1] = first_[pe] + ones(masks_[pe]);
  }
  channels_.resize(first_.back());
  for (PeId pe = 0; pe < mesh_.pes(); ++pe) {
    ChannelId id = first_[pe];
    for (std::uint32_t rest = masks_[pe]; rest != 0; rest &= rest - 1) {
      const auto colour = static_cast<std::uint32_t>(std::countr_zero(rest));
      channels_[id].pe = pe;
      channels_[id].colour = static_cast<std::uint8_t>(colour);
      channels_[id].has_data_task = (data_tasks_[pe] >> colour & 1) != 0;
      if ((endpoints_[pe] >> colour & 1) != 0) {
        channels_[id].queue_mask =
            Channel::bit(QueuePort::UpRamp) | Channel::bit(QueuePort::DownRamp);
      }
      ++id;
    }
  }
  for (const isa::Route& route : image_.routes) set_route(route);
  for (const Written& written : written_) {
    make_room(channels_[find(written.pe, written.colour)], *written.routing);
  }
  for (const isa::Stream& stream : image_.streams) {
    isa::for_each(stream.rect, [&](std::uint32_t x, std::uint32_t y) {
      Channel& channel = channels_[find(mesh_.pe_at(x, y), stream.colour)];
      if (stream.enters) channel.queue_mask |= Channel::bit(input_queue(stream.side));
    });
  }
  number_queues();
  return {};
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
