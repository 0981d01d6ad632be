// Looks at the positions of all routes, and of those that programs write.
#include "vm/load/switches.h"

#include <fmt/format.h>

namespace wse::vm {
namespace {

isa::Status check_routing(const isa::Routing& routing, const isa::Profile& profile,
                          const std::string& who) {
  const std::size_t count = routing.positions.size();
  if (count > profile.switch_positions) {
    return isa::fail(fmt::format("{} has {} switch positions; on {} a colour has at most {}", who,
                                 count, profile.name, profile.switch_positions));
  }
  for (std::size_t k = 1; k < count && profile.switch_position_sides < 2; ++k) {
    if (!isa::changes_both_sides(routing.positions[k - 1], routing.positions[k])) continue;
    return isa::fail(
        fmt::format("{}: position {} changes both where wavelets come from and where they go; "
                    "on {} a position can change one of them",
                    who, k, profile.name));
  }
  return {};
}

std::string place_of(const isa::Image& image, const isa::Route& route) {
  const std::string place = image.place_text(route.where);
  return fmt::format("the route of colour {}{}", image.colour_name(route.colour),
                     place.empty() ? "" : " at " + place);
}

}  // namespace

isa::Status check_switches(const isa::Image& image, const isa::Profile& profile) {
  isa::Status status;
  for (const isa::Route& route : image.routes) {
    if (status) status = check_routing(route.routing, profile, place_of(image, route));
  }
  for (const isa::Program& program : image.programs) {
    for (const isa::NamedRouting& named : program.routings) {
      if (!status) return status;
      status = check_routing(named.routing, profile,
                             fmt::format("routing {} of program {}", named.name, program.name));
    }
  }
  return status;
}

}  // namespace wse::vm
