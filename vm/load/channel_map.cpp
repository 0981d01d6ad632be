// Marks pairs of PE and colour; the first that is given twice is the error.
#include "vm/load/channel_map.h"

#include <fmt/format.h>

#include <array>

namespace wse::vm {

std::uint32_t all_targets(const isa::Routing& routing) {
  std::uint32_t tx = 0;
  for (const isa::SwitchPosition& position : routing.positions) tx |= position.tx;
  return tx;
}

ChannelMap::ChannelMap(const isa::Image& image, const isa::Topology& mesh)
    : image_(image),
      mesh_(mesh),
      colours_(mesh.pes()),
      endpoints_(mesh.pes()),
      data_tasks_(mesh.pes()),
      first_(mesh.pes() + std::size_t{1}) {
  std::vector<std::uint32_t> routed(image.routes.empty() ? 0 : mesh.pes());
  for (const isa::Route& route : image.routes) {
    if (status_) mark_route(route, routed);
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

void ChannelMap::mark_once(const isa::StridedRect& rect, std::uint32_t colour,
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

void ChannelMap::mark_links(PeId pe, std::uint32_t colour, std::uint32_t ports) {
  for_each_port(ports & ~isa::bit(isa::Port::Ramp), [&](isa::Port port) {
    if (const std::optional<PeId> there = mesh_.neighbour(pe, port)) mark(*there, colour);
  });
}

// The first PE with two routes ends it, so that all routes together visit no PE twice per colour.
void ChannelMap::mark_route(const isa::Route& route, std::vector<std::uint32_t>& routed) {
  const std::uint32_t tx = all_targets(route.routing);
  isa::for_each_until(route.rect, [&](std::uint32_t x, std::uint32_t y) {
    const PeId pe = mesh_.pe_at(x, y);
    if ((routed[pe] >> route.colour & 1) != 0) {
      status_ = isa::fail(fmt::format("two routes for colour {} at PE({}, {})",
                                      image_.colour_name(route.colour), x, y));
      return false;
    }
    routed[pe] |= 1u << route.colour;
    mark(pe, route.colour);
    mark_links(pe, route.colour, tx);
    return true;
  });
}

void ChannelMap::add_routing(PeId pe, std::uint32_t colour, const isa::Routing& routing) {
  mark(pe, colour);
  mark_links(pe, colour, all_targets(routing));
  written_.push_back({pe, colour, &routing});
}

isa::Status ChannelMap::number() {
  for (PeId pe = 0; pe < mesh_.pes(); ++pe) {
    first_[pe + 1] = first_[pe] + ones(colours_[pe]);
  }
  return status_;
}

}  // namespace wse::vm
