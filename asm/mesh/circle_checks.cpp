// Circles of routes that no wavelet can enter.
//
// A router takes a colour from one side at a time. So before a router with one position there is at
// most one other, and walking back from router to router ends at a ramp, at the edge, at a switch -
// or where the walk has been: in a circle that only feeds itself, multicast or not. Circles with
// switches can be entered and left; they may be meant, and nothing is said of them. Each router is
// walked over once per colour.
#include "asm/mesh/mesh_checks.h"

namespace wse::assembler {

void MeshChecker::check_circles(const std::vector<PlacedRoute>& routes,
                                const std::vector<std::size_t>& mine, std::uint32_t colour) {
  const std::uint32_t before = walks_;
  walk_at_.resize(route_at_.size());
  for (const std::size_t k : mine) {
    const bool good =
        isa::for_each_until(routes[k].item.rect, [&](std::uint32_t x, std::uint32_t y) {
          const std::uint32_t pe = topology_.pe_at(x, y);
          if (walk_at_[pe] > before) return true;
          const std::optional<std::uint32_t> on = circle_before(routes, colour, pe, before);
          if (!on) return true;
          report_circle(routes, colour, *on);
          return false;
        });
    if (!good) return;  // one warning per colour is enough
  }
}

// A PE on the circle to which the way back from `pe` leads. `before`: the last walk of another
// colour.
std::optional<std::uint32_t> MeshChecker::circle_before(const std::vector<PlacedRoute>& routes,
                                                        std::uint32_t colour, std::uint32_t pe,
                                                        std::uint32_t before) {
  ++walks_;
  for (std::optional<std::uint32_t> at = pe; at; at = router_before(routes, colour, *at)) {
    if (walk_at_[*at] == walks_) return at;
    if (walk_at_[*at] > before) return std::nullopt;  // an earlier walk continued from here
    walk_at_[*at] = walks_;
  }
  return std::nullopt;
}

void MeshChecker::report_circle(const std::vector<PlacedRoute>& routes, std::uint32_t colour,
                                std::uint32_t pe) {
  std::size_t routers = 1;
  for (std::uint32_t at = *router_before(routes, colour, pe); at != pe; ++routers) {
    at = *router_before(routes, colour, at);
  }
  reporter_.report(Problem::ClosedCircle, unit_[routes[route_at_[pe]].syntax->colour].where,
                   image_.colour_name(colour), topology_.x_of(pe), topology_.y_of(pe), routers);
}

// The router from which wavelets of the colour come, if both have one position for ever.
std::optional<std::uint32_t> MeshChecker::router_before(const std::vector<PlacedRoute>& routes,
                                                        std::uint32_t colour,
                                                        std::uint32_t pe) const {
  const isa::SwitchPosition* here = only_position(routes, colour, pe);
  if (here == nullptr || here->rx == isa::Port::Ramp) return std::nullopt;
  const std::optional<std::uint32_t> there = topology_.neighbour(pe, here->rx);
  const isa::SwitchPosition* from = there ? only_position(routes, colour, *there) : nullptr;
  const bool sends = from != nullptr && (from->tx & isa::bit(isa::opposite(here->rx))) != 0;
  return sends ? there : std::nullopt;
}

}  // namespace wse::assembler
