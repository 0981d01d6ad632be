// From routes, programs and what they may write to the queues of each channel.
#include "vm/planes/bits/channel_table.h"

#include "vm/contract/router_rules.h"

namespace wse::vm::wafer {

ChannelTable::ChannelTable(const isa::Image& image, const isa::Topology& mesh,
                           const ChannelMap& map, const PeRange& pes)
    : mesh_(mesh),
      map_(map),
      pes_(pes),
      first_(map.first(pes.first)),
      channels_(map.first(pes.end) - first_) {
  for (PeId pe = 0; pe < mesh.pes(); ++pe) begin(pe);
  for (const isa::Route& route : image.routes) {
    isa::for_each(route.rect, [&](std::uint32_t x, std::uint32_t y) {
      const PeId pe = mesh.pe_at(x, y);
      if (pes_.contains(pe)) {
        Channel& channel = (*this)[map.find(pe, route.colour)];
        channel.routing = &route.routing;
        channel.torn_down = route.torn_down;
        channel.position = static_cast<std::uint8_t>(route.start);
      }
      make_room(pe, route.colour, route.routing);
    });
  }
  for (const ChannelMap::Written& written : map.written()) {
    make_room(written.pe, written.colour, *written.routing);
  }
}

void ChannelTable::begin(PeId pe) {
  constexpr std::uint32_t kRamps = 1u << kUpRamp | 1u << kDownRamp;
  ChannelId id = map_.first(pe);
  for (std::uint32_t rest = map_.colours(pe); rest != 0; rest &= rest - 1) {
    const auto colour = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (pes_.contains(pe)) {
      Channel& channel = (*this)[id++];
      channel.pe = pe;
      channel.colour = static_cast<std::uint8_t>(colour);
      channel.has_data_task = (map_.data_tasks(pe) >> colour & 1) != 0;
    }
    if ((map_.endpoints(pe) >> colour & 1) != 0) add_queues(pe, colour, kRamps);
  }
}

void ChannelTable::make_room(PeId pe, std::uint32_t colour, const isa::Routing& routing) {
  for_each_queue(mesh_, pe, routing, [&](PeId where, QueuePort port) {
    const std::uint32_t queue =
        port == QueuePort::DownRamp ? kDownRamp : static_cast<std::uint32_t>(port);
    add_queues(where, colour, 1u << queue);
  });
}

void ChannelTable::add_queues(PeId pe, std::uint32_t colour, std::uint32_t queues) {
  queues_of_[colour] |= queues;
  if (!pes_.contains(pe)) return;
  (*this)[map_.find(pe, colour)].queues |= static_cast<std::uint8_t>(queues);
}

}  // namespace wse::vm::wafer
