// The ways of one colour through the router of a PE: by its route, and by the routings that its
// program may write.
#include <algorithm>

#include "asm/mesh/mesh_checks.h"

namespace wse::assembler {

std::optional<std::uint32_t> MeshChecker::placement_at(std::uint32_t pe) const {
  return program_at_[pe] == kNobody ? std::nullopt : std::optional(program_at_[pe]);
}

template <class Visit>
bool MeshChecker::any_written(std::uint32_t colour, std::uint32_t pe, Visit visit) const {
  const std::uint32_t placement = program_at_[pe];
  if (placement == kNobody) return false;
  return std::ranges::any_of(written_[placed_programs_[placement]], [&](const Written& written) {
    return (written.is_slot || written.colour == colour) && visit(*written.routing);
  });
}

// nullptr if there are several, or the program of the PE may write others.
const isa::SwitchPosition* MeshChecker::only_position(const std::vector<PlacedRoute>& routes,
                                                      std::uint32_t colour,
                                                      std::uint32_t pe) const {
  if (route_at_[pe] == kNobody) return nullptr;
  const isa::Routing& routing = routes[route_at_[pe]].item.routing;
  if (routing.positions.size() != 1) return nullptr;
  const bool writes = any_written(colour, pe, [](const isa::Routing&) { return true; });
  return writes ? nullptr : routing.positions.data();
}

const isa::SwitchPosition* MeshChecker::lasting_position(const std::vector<PlacedRoute>& routes,
                                                         std::uint32_t colour,
                                                         std::uint32_t pe) const {
  if (route_at_[pe] == kNobody || routes[route_at_[pe]].item.torn_down) return nullptr;
  return only_position(routes, colour, pe);
}

const isa::Routing* MeshChecker::lasting_routing(const std::vector<PlacedRoute>& routes,
                                                 std::uint32_t colour, std::uint32_t pe) const {
  if (!has_route(pe) || routes[route_at_[pe]].item.torn_down) return nullptr;
  const bool writes = any_written(colour, pe, [](const isa::Routing&) { return true; });
  return writes ? nullptr : &routes[route_at_[pe]].item.routing;
}

bool MeshChecker::may_route(std::uint32_t colour, std::uint32_t pe) const {
  return route_at_[pe] != kNobody ||
         any_written(colour, pe, [](const isa::Routing&) { return true; });
}

bool MeshChecker::may_deliver(const std::vector<PlacedRoute>& routes, std::uint32_t colour,
                              std::uint32_t pe) const {
  const auto delivers = [](const isa::Routing& routing) {
    return std::ranges::any_of(routing.positions, [](const isa::SwitchPosition& position) {
      return (position.tx & isa::bit(isa::Port::Ramp)) != 0;
    });
  };
  if (route_at_[pe] != kNobody && delivers(routes[route_at_[pe]].item.routing)) return true;
  return any_written(colour, pe, delivers);
}

}  // namespace wse::assembler
