// Looks at every channel once, where there can be a switch at all.
#include "vm/report/switches.h"

#include <algorithm>

namespace wse::vm {
namespace {

bool has_switches(const isa::Image& image) {
  const auto several = [](const auto& owner) { return owner.routing.positions.size() > 1; };
  return std::ranges::any_of(image.routes, several) ||
         std::ranges::any_of(image.programs, [&](const isa::Program& program) {
           return std::ranges::any_of(program.routings, several);
         });
}

}  // namespace

MovedSwitches moved_switches(const Scene& scene) {
  MovedSwitches moved;
  if (!has_switches(scene.image)) return moved;
  for (PeId pe = 0; pe < scene.mesh.pes(); ++pe) {
    for (const ChannelState& channel : scene.channels_of(pe)) {
      if (channel.position == 0) continue;
      if (++moved.total > kMostPositions) continue;
      moved.first.push_back({.x = scene.mesh.x_of(pe),
                             .y = scene.mesh.y_of(pe),
                             .colour = scene.image.colour_name(channel.colour),
                             .position = channel.position});
    }
  }
  return moved;
}

}  // namespace wse::vm
