// From routes, programs and what they may write to the queues of each channel.
#include "vm/planes/bits/channel_table.h"

namespace wse::vm::wafer {

ChannelTable::ChannelTable(const isa::Image& image, const isa::Topology& mesh,
                           const ChannelMap& map)
    : mesh_(mesh), map_(map), channels_(map.size()) {
  for (PeId pe = 0; pe < mesh.pes(); ++pe) {
    ChannelId id = map.first(pe);
    for (std::uint32_t rest = map.colours(pe); rest != 0; rest &= rest - 1) {
      const auto colour = static_cast<std::uint32_t>(std::countr_zero(rest));
      Channel& channel = channels_[id++];
      channel.pe = pe;
      channel.colour = static_cast<std::uint8_t>(colour);
      channel.has_data_task = (map.data_tasks(pe) >> colour & 1) != 0;
      if ((map.endpoints(pe) >> colour & 1) != 0) channel.queues = 1u << kUpRamp | 1u << kDownRamp;
    }
  }
  for (const isa::Route& route : image.routes) {
    isa::for_each(route.rect, [&](std::uint32_t x, std::uint32_t y) {
      const PeId pe = mesh.pe_at(x, y);
      Channel& channel = channels_[map.find(pe, route.colour)];
      channel.routing = &route.routing;
      channel.torn_down = route.torn_down;
      channel.position = static_cast<std::uint8_t>(route.start);
      make_room(pe, route.colour, route.routing);
    });
  }
  for (const ChannelMap::Written& written : map.written()) {
    make_room(written.pe, written.colour, *written.routing);
  }
}

void ChannelTable::make_room(PeId pe, std::uint32_t colour, const isa::Routing& routing) {
  const auto add = [&](PeId where, std::uint32_t queue) {
    channels_[map_.find(where, colour)].queues |= static_cast<std::uint8_t>(1u << queue);
  };
  for (const isa::SwitchPosition& position : routing.positions) {
    add(pe, static_cast<std::uint32_t>(position.rx));
  }
  for_each_port(all_targets(routing), [&](isa::Port port) {
    if (port == isa::Port::Ramp) return add(pe, kDownRamp);
    const std::optional<PeId> there = mesh_.neighbour(pe, port);
    if (there) add(*there, static_cast<std::uint32_t>(isa::opposite(port)));
  });
}

}  // namespace wse::vm::wafer
