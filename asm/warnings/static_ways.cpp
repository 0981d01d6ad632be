// Looks a route up in the list of its colour, which is short where people or generators write it.
#include "asm/warnings/static_ways.h"

#include <algorithm>

#include "asm/warnings/pe_set.h"

namespace wse::assembler {
namespace {

using isa::Port;

constexpr std::size_t kLooks = 2'000'000;  // at routes and placements, for a whole source

}  // namespace

StaticWays::StaticWays(const isa::Image& image, const std::vector<PlacedProgram>& placements,
                       const std::vector<PlacedRoute>& routes)
    : image_(image),
      topology_(image.topology()),
      placements_(placements),
      routes_(isa::kMaxColours),
      looks_(kLooks) {
  for (const PlacedRoute& route : routes) routes_[route.item.colour].push_back(&route);
}

std::optional<std::uint32_t> StaticWays::placement_at(std::uint32_t pe) const {
  const auto found = std::ranges::find_if(placements_, [&](const PlacedProgram& placed) {
    return contains(placed.item.rect, topology_.x_of(pe), topology_.y_of(pe));
  });
  if (found == placements_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - placements_.begin());
}

const isa::SwitchPosition* StaticWays::position_at(std::uint32_t pe, std::uint32_t colour) {
  const std::size_t looks = placements_.size() + routes_[colour].size();
  if (looks_ < looks) return nullptr;
  looks_ -= looks;
  const auto found = std::ranges::find_if(routes_[colour], [&](const PlacedRoute* route) {
    return contains(route->item.rect, topology_.x_of(pe), topology_.y_of(pe));
  });
  if (found == routes_[colour].end() || (*found)->item.torn_down) return nullptr;
  const std::vector<isa::SwitchPosition>& positions = (*found)->item.routing.positions;
  if (positions.size() != 1) return nullptr;
  const std::optional<std::uint32_t> placement = placement_at(pe);
  const bool writes =
      placement && !image_.programs[placements_[*placement].item.program].routings.empty();
  return writes ? nullptr : positions.data();
}

std::optional<std::vector<StaticWays::Target>> StaticWays::targets(std::uint32_t pe,
                                                                   std::uint32_t colour) {
  const isa::SwitchPosition* const first = position_at(pe, colour);
  if (first == nullptr || first->rx != Port::Ramp) return std::nullopt;
  std::vector<Target> targets;
  std::vector<Target> open = {{.pe = pe, .links = 0}};
  while (!open.empty()) {
    const Target here = open.back();
    open.pop_back();
    const isa::SwitchPosition* const position = position_at(here.pe, colour);
    if (position == nullptr) return std::nullopt;
    if ((position->tx & isa::bit(Port::Ramp)) != 0) targets.push_back(here);
    for (std::uint32_t k = 0; k < topology_.links(); ++k) {
      const Port port = topology_.link_port(k);
      if ((position->tx & isa::bit(port)) == 0) continue;
      const std::optional<std::uint32_t> next = topology_.neighbour(here.pe, port);
      if (!next) continue;  // a stream, which takes everything
      const isa::SwitchPosition* const there = position_at(*next, colour);
      if (there == nullptr || there->rx != isa::opposite(port)) return std::nullopt;
      open.push_back({.pe = *next, .links = here.links + 1});
    }
  }
  return targets;
}

std::optional<std::uint32_t> StaticWays::source(std::uint32_t pe, std::uint32_t colour) {
  std::uint32_t here = pe;
  const isa::SwitchPosition* position = position_at(here, colour);
  if (position == nullptr || (position->tx & isa::bit(Port::Ramp)) == 0) return std::nullopt;
  while (position != nullptr && position->rx != Port::Ramp) {
    const std::optional<std::uint32_t> before = topology_.neighbour(here, position->rx);
    const isa::SwitchPosition* const sends = before ? position_at(*before, colour) : nullptr;
    const bool leads = sends != nullptr && (sends->tx & isa::bit(isa::opposite(position->rx))) != 0;
    if (!leads) return std::nullopt;
    here = *before;
    position = sends;
  }
  return position == nullptr ? std::nullopt : std::optional(here);
}

}  // namespace wse::assembler
