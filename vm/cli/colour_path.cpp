// Walks from router to router in the order of their distance.
#include "vm/cli/colour_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>

#include "isa/image/disassembler.h"
#include "isa/machine/topology.h"

namespace wse::cli {
namespace {

constexpr std::uint32_t kMostDrawnWidth = 96;
constexpr std::uint32_t kMostDrawnHeight = 48;
constexpr std::size_t kMostLines = 60;  // of a list of routers

// A wavelet that has come to a router.
struct Arrival {
  std::uint32_t pe = 0;
  isa::Port from = isa::Port::Ramp;
  std::uint32_t links = 0;
};

// A router with what it does to the wavelet.
struct Stop {
  Arrival arrival;
  std::string what;
  bool delivers = false;
  std::uint32_t leaves = 0;  // ports, a mask
  bool is_end = false;       // where it waits or has no route
};

bool contains(const isa::StridedRange& range, std::uint32_t value) {
  const auto at = static_cast<std::int64_t>(value);
  return at >= range.first && at <= range.last && (at - range.first) % range.step == 0;
}

isa::Result<std::uint32_t> colour_number(const isa::Image& image, const std::string& colour) {
  std::uint32_t number = 0;
  const auto [rest, error] = std::from_chars(colour.data(), colour.data() + colour.size(), number);
  const bool is_number = error == std::errc{} && rest == colour.data() + colour.size();
  if (is_number && number < isa::kMaxColours) return number;
  const auto found = std::ranges::find(image.colours, colour);
  if (!is_number && !colour.empty() && found != image.colours.end()) {
    return static_cast<std::uint32_t>(found - image.colours.begin());
  }
  return isa::fail(fmt::format("the program has no colour '{}'", colour));
}

class Walk {
 public:
  Walk(const isa::Image& image, std::uint32_t colour, std::uint32_t advances)
      : topology_(image.hypercube_dimensions > 0
                      ? isa::Topology::hypercube(image.hypercube_dimensions)
                      : isa::Topology::mesh(image.width, image.height)),
        advances_(advances) {
    for (const isa::Route& route : image.routes) {
      if (route.colour == colour) routes_.push_back(&route);
    }
  }

  std::vector<Stop> from(std::uint32_t pe) {
    std::vector<Stop> stops;
    std::deque<Arrival> open = {{.pe = pe}};
    std::map<std::pair<std::uint32_t, isa::Port>, bool> seen;
    while (!open.empty()) {
      const Arrival arrival = open.front();
      open.pop_front();
      if (!seen.try_emplace({arrival.pe, arrival.from}, true).second) continue;
      stops.push_back(stop_at(arrival));
      for (std::uint32_t k = 0; k < topology_.links(); ++k) {
        const isa::Port port = topology_.link_port(k);
        if ((stops.back().leaves & isa::bit(port)) == 0) continue;
        const auto next = topology_.neighbour(arrival.pe, port);
        if (next) open.push_back({*next, isa::opposite(port), arrival.links + 1});
      }
    }
    return stops;
  }

  const isa::Topology& topology() const { return topology_; }

 private:
  const isa::Route* route_at(std::uint32_t pe) const {
    for (const isa::Route* route : routes_) {
      const bool is_here = contains(route->rect.x, topology_.x_of(pe)) &&
                           contains(route->rect.y, topology_.y_of(pe));
      if (is_here) return route;
    }
    return nullptr;
  }

  Stop stop_at(const Arrival& arrival) const {
    const isa::Route* route = route_at(arrival.pe);
    if (route == nullptr)
      return {arrival, "has no route: the wavelet is an error here", false, 0, true};
    if (route->torn_down) return {arrival, "the colour is torn down here", false, 0, true};
    const std::vector<isa::SwitchPosition>& positions = route->routing.positions;
    const auto count = static_cast<std::uint32_t>(positions.size());
    const std::uint32_t last = std::min(route->start + advances_, count - 1);
    const std::uint32_t index = route->routing.ring ? (route->start + advances_) % count : last;
    const isa::SwitchPosition& position = positions[index];
    std::string what = isa::position_text(position);
    if (count > 1) what = fmt::format("[{}], position {} of {}", what, index, count);
    if (position.rx != arrival.from) {
      return {arrival,
              fmt::format("{}: a wavelet from {} waits here", what, isa::text(arrival.from)), false,
              0, true};
    }
    const bool delivers = (position.tx & isa::bit(isa::Port::Ramp)) != 0;
    return {arrival, std::move(what), delivers, position.tx, false};
  }

  isa::Topology topology_;
  std::uint32_t advances_;
  std::vector<const isa::Route*> routes_;
};

std::string pe_text(const isa::Topology& topology, std::uint32_t pe) {
  return fmt::format("PE({}, {})", topology.x_of(pe), topology.y_of(pe));
}

// Routers that do the same one after the other have one line.
std::string list_of_stops(const isa::Topology& topology, const std::vector<Stop>& stops) {
  std::string text;
  std::size_t lines = 0;
  for (std::size_t k = 0; k < stops.size();) {
    std::size_t last = k;
    while (last + 1 < stops.size() && stops[last + 1].what == stops[k].what && !stops[k].delivers &&
           stops[last + 1].arrival.links == stops[last].arrival.links + 1) {
      ++last;
    }
    const std::string from = pe_text(topology, stops[k].arrival.pe);
    const std::string pes =
        last == k ? from : fmt::format("{} to {}", from, pe_text(topology, stops[last].arrival.pe));
    if (++lines <= kMostLines) {
      text += fmt::format("  {:>4}  {}: {}\n", stops[k].arrival.links, pes, stops[k].what);
    }
    k = last + 1;
  }
  if (lines > kMostLines) text += fmt::format("        {} more lines\n", lines - kMostLines);
  const auto arrived = std::ranges::count_if(stops, &Stop::delivers);
  std::uint32_t longest = 0;
  for (const Stop& stop : stops) {
    if (stop.delivers) longest = std::max(longest, stop.arrival.links);
  }
  text += fmt::format("  received by {} PE{}", arrived, arrived == 1 ? "" : "s");
  if (arrived > 0) text += fmt::format(", the farthest after {} links", longest);
  return text + "\n";
}

char mark_of(const Stop& stop) {
  constexpr std::pair<isa::Port, char> kArrows[] = {{isa::Port::West, '<'},
                                                    {isa::Port::East, '>'},
                                                    {isa::Port::North, '^'},
                                                    {isa::Port::South, 'v'}};
  if (stop.is_end) return '!';
  if (stop.delivers) return '*';
  char mark = '+';  // several ways
  std::size_t ways = 0;
  for (const auto& [port, arrow] : kArrows) {
    if ((stop.leaves & isa::bit(port)) == 0) continue;
    mark = ++ways == 1 ? arrow : '+';
  }
  return mark;
}

std::string drawing_of(const isa::Topology& topology, std::uint32_t start,
                       const std::vector<Stop>& stops) {
  const bool fits = !topology.is_hypercube() && topology.width() <= kMostDrawnWidth &&
                    topology.height() <= kMostDrawnHeight;
  if (!fits) return "";
  std::vector<std::string> rows(topology.height(), std::string(topology.width(), '.'));
  for (const Stop& stop : stops) {
    rows[topology.y_of(stop.arrival.pe)][topology.x_of(stop.arrival.pe)] = mark_of(stop);
  }
  rows[topology.y_of(start)][topology.x_of(start)] = 'S';
  std::string text = "\n";
  for (const std::string& row : rows) text += "    " + row + "\n";
  return text + "\n";
}

bool same_way(const std::vector<Stop>& one, const std::vector<Stop>& other) {
  return std::ranges::equal(one, other, [](const Stop& a, const Stop& b) {
    return a.arrival.pe == b.arrival.pe && a.arrival.from == b.arrival.from &&
           a.leaves == b.leaves && a.is_end == b.is_end;
  });
}

}  // namespace

isa::Result<std::string> path_text(const isa::Image& image, const PathStart& start) {
  const isa::Result<std::uint32_t> colour = colour_number(image, start.colour);
  if (!colour) return isa::fail(colour.error());
  if (start.x >= image.width || start.y >= image.height) {
    return isa::fail(fmt::format("PE({}, {}) is not in the grid of {} x {}", start.x, start.y,
                                 image.width, image.height));
  }
  std::string text;
  std::vector<Stop> before;
  for (std::uint32_t advances = 0; advances < isa::kMaxPositions; ++advances) {
    Walk walk(image, *colour, advances);
    const std::uint32_t pe = walk.topology().pe_at(start.x, start.y);
    std::vector<Stop> stops = walk.from(pe);
    if (advances > 0 && same_way(stops, before)) continue;
    text += fmt::format("{} from {}, {}: links, router, what it does\n", start.colour,
                        pe_text(walk.topology(), pe),
                        advances == 0   ? "as the run begins"
                        : advances == 1 ? "each switch advanced once"
                                        : fmt::format("each switch advanced {} times", advances));
    text += list_of_stops(walk.topology(), stops) + drawing_of(walk.topology(), pe, stops);
    before = std::move(stops);
  }
  return text;
}

}  // namespace wse::cli
