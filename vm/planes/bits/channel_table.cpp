// From routes, programs and what they may write to the queues of each channel.
#include "vm/planes/bits/channel_table.h"

#include "vm/contract/router_rules.h"

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
  for_each_queue(mesh_, pe, routing, [&](PeId where, QueuePort port) {
    const std::uint32_t queue =
        port == QueuePort::DownRamp ? kDownRamp : static_cast<std::uint32_t>(port);
    channels_[map_.find(where, colour)].queues |= static_cast<std::uint8_t>(1u << queue);
  });
}

}  // namespace wse::vm::wafer
