// Routes by what they do, in the order of the first of each kind.
#include "vm/profile/routes_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace wse::vm {
namespace {

using Json = nlohmann::ordered_json;

Json position_json(const isa::SwitchPosition& position) {
  Json to = Json::array();
  for (std::uint32_t k = 0; k < isa::kPorts; ++k) {
    const auto port = static_cast<isa::Port>(k);
    if ((position.tx & isa::bit(port)) != 0) to.push_back(isa::text(port));
  }
  return Json::array({isa::text(position.rx), std::move(to)});
}

bool do_the_same(const isa::Route& a, const isa::Route& b) {
  return a.colour == b.colour && a.routing == b.routing && a.start == b.start &&
         a.torn_down == b.torn_down;
}

Json kind_json(const isa::Route& route) {
  Json positions = Json::array();
  for (const isa::SwitchPosition& position : route.routing.positions) {
    positions.push_back(position_json(position));
  }
  return {{"colour", route.colour},
          {"positions", std::move(positions)},
          {"start", route.start},
          {"ring", route.routing.ring},
          {"pop", isa::kPopModeTexts[static_cast<std::size_t>(route.routing.pop)]},
          {"torn_down", route.torn_down},
          {"where", Json::array()}};
}

}  // namespace

Json routes_json(const isa::Image& image) {
  Json json = {{"total", image.routes.size()}, {"kinds", nullptr}};
  if (image.routes.size() > kMostRouteRects) return json;
  std::vector<const isa::Route*> kinds;  // the first of each
  Json all = Json::array();
  for (const isa::Route& route : image.routes) {
    const auto found = std::ranges::find_if(
        kinds, [&route](const isa::Route* kind) { return do_the_same(*kind, route); });
    const auto at = static_cast<std::size_t>(found - kinds.begin());
    if (found == kinds.end()) {
      kinds.push_back(&route);
      all.push_back(kind_json(route));
    }
    const isa::StridedRect& rect = route.rect;
    all[at]["where"].push_back(
        {rect.x.first, rect.x.last, rect.x.step, rect.y.first, rect.y.last, rect.y.step});
  }
  json["kinds"] = std::move(all);
  return json;
}

}  // namespace wse::vm
