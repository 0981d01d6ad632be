// The few words that all explanations share.
#include "vm/report/scene.h"

#include <fmt/format.h>

namespace wse::vm {
namespace {

bool contains(const isa::StridedRange& range, std::uint32_t value) {
  const auto number = static_cast<std::int64_t>(value);
  return range.first <= number && number <= range.last && (number - range.first) % range.step == 0;
}

bool contains(const isa::StridedRect& rect, const isa::Topology& mesh, PeId pe) {
  return contains(rect.x, mesh.x_of(pe)) && contains(rect.y, mesh.y_of(pe));
}

// Returns what the source gives that PE of the colour; nullptr if it gives nothing.
template <class Placed>
const Placed* find_at(const Scene& scene, const std::vector<Placed>& all, PeId pe,
                      std::uint32_t colour) {
  for (const Placed& one : all) {
    const bool here = contains(one.rect, scene.mesh, pe);
    if (here && one.colour == colour) return &one;
  }
  return nullptr;
}

}  // namespace

std::vector<ChannelState> Scene::channels_of(PeId pe) const {
  std::vector<ChannelState> all;
  for (ChannelId id = channels.first(pe); id < channels.first(pe + 1); ++id) {
    all.push_back(transport.channel(id));
  }
  return all;
}

std::string wavelets_text(std::uint64_t count) {
  return fmt::format("{} wavelet{}", count, count == 1 ? "" : "s");
}

std::string words_text(std::uint64_t count) {
  return fmt::format("{} word{}", count, count == 1 ? "" : "s");
}

std::string program_text(const Scene& scene, PeId pe) {
  std::string place;
  for (const isa::Placement& placement : scene.image.placements) {
    const bool here = contains(placement.rect, scene.mesh, pe);
    if (here) place = scene.image.place_text(placement.where);
  }
  return fmt::format("program {}{}", scene.loaded.program_at(pe)->program->shown_name(),
                     place.empty() ? "" : " (placed at " + place + ")");
}

std::string route_place(const Scene& scene, PeId pe, std::uint32_t colour) {
  const isa::Route* route = find_at(scene, scene.image.routes, pe, colour);
  return route == nullptr ? "" : scene.image.place_text(route->where);
}

bool starts_torn_down(const Scene& scene, PeId pe, std::uint32_t colour) {
  const isa::Route* route = find_at(scene, scene.image.routes, pe, colour);
  return route != nullptr && route->torn_down;
}

std::string filter_place(const Scene& scene, PeId pe, std::uint32_t colour) {
  const isa::Filter* filter = find_at(scene, scene.image.filters, pe, colour);
  return filter == nullptr ? "" : scene.image.place_text(filter->where);
}

}  // namespace wse::vm
