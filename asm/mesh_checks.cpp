// Paints placements and routes onto the grid and looks at neighbours.
#include "asm/mesh_checks.h"

#include <algorithm>

namespace wse::assembler {
namespace {

using isa::Port;

struct Offset {
  int x;
  int y;
};

Offset offset_of(Port port) {
  switch (port) {
    case Port::West: return {-1, 0};
    case Port::East: return {1, 0};
    case Port::North: return {0, -1};
    case Port::South: return {0, 1};
    case Port::Ramp: break;
  }
  return {0, 0};
}

}  // namespace

void MeshChecker::check_placements(const std::vector<PlacedProgram>& placements) {
  program_at_.assign(std::size_t{image_.width} * image_.height, kNobody);
  for (std::size_t k = 0; k < placements.size(); ++k) {
    const PlacedProgram& placed = placements[k];
    placed_programs_.push_back(placed.item.program);
    isa::for_each_until(placed.item.rect, [&](std::uint32_t x, std::uint32_t y) {
      std::uint32_t& owner = program_at_[cell(x, y)];
      if (owner != kNobody) {
        const PlaceSyntax& other = *placements[owner].syntax;
        reporter_.report(Problem::TwoPrograms, placed.syntax->program.where, x, y,
                         other.program.text, placed.syntax->program.text);
        reporter_.note(Remark::OtherPlacement, other.program.where);
        return false;
      }
      owner = static_cast<std::uint32_t>(k);
      return true;
    });
  }
}

void MeshChecker::check_routes(const std::vector<PlacedRoute>& routes) {
  std::vector<std::vector<std::size_t>> by_colour(isa::kMaxColours);
  for (std::size_t k = 0; k < routes.size(); ++k) by_colour[routes[k].item.colour].push_back(k);
  route_at_.assign(std::size_t{image_.width} * image_.height, kNobody);
  for (const std::vector<std::size_t>& mine : by_colour) {
    check_colour(routes, mine);
    for (const std::size_t k : mine) erase(routes[k].item.rect, k);
  }
}

void MeshChecker::check_colour(const std::vector<PlacedRoute>& routes,
                               const std::vector<std::size_t>& mine) {
  std::vector<std::size_t> whole;  // others may meet at every PE; each is visited up to the first
  for (const std::size_t k : mine) {
    if (paint(routes, k)) whole.push_back(k);
  }
  for (const std::size_t k : whole) check_targets(routes, k);
}

bool MeshChecker::paint(const std::vector<PlacedRoute>& routes, std::size_t index) {
  return isa::for_each_until(routes[index].item.rect, [&](std::uint32_t x, std::uint32_t y) {
    std::uint32_t& owner = route_at_[cell(x, y)];
    if (owner != kNobody) {
      const isa::SourceRange& where = unit_[routes[index].syntax->colour].where;
      reporter_.report(Problem::TwoRoutes, where, x, y,
                       image_.colour_name(routes[index].item.colour));
      reporter_.note(Remark::OtherRoute, unit_[routes[owner].syntax->colour].where);
      return false;
    }
    owner = static_cast<std::uint32_t>(index);
    return true;
  });
}

// Takes back what paint() did, and visits no more.
void MeshChecker::erase(const isa::StridedRect& rect, std::size_t index) {
  isa::for_each_until(rect, [&](std::uint32_t x, std::uint32_t y) {
    std::uint32_t& owner = route_at_[cell(x, y)];
    if (owner != index) return false;
    owner = kNobody;
    return true;
  });
}

// One error per port of a route is enough.
void MeshChecker::check_targets(const std::vector<PlacedRoute>& routes, std::size_t index) {
  const isa::Route& route = routes[index].item;
  std::uint32_t ports = 0;
  for (const isa::SwitchPosition& position : route.positions) ports |= position.tx;
  for (const Port port : {Port::West, Port::East, Port::North, Port::South}) {
    if ((ports & isa::bit(port)) == 0) continue;
    isa::for_each_until(route.rect, [&](std::uint32_t x, std::uint32_t y) {
      return check_target(routes, index, x, y, port);
    });
  }
}

bool MeshChecker::check_target(const std::vector<PlacedRoute>& routes, std::size_t index,
                               std::uint32_t x, std::uint32_t y, Port port) {
  const RouteSyntax& syntax = *routes[index].syntax;
  const std::string colour = image_.colour_name(routes[index].item.colour);
  const isa::SourceRange& where =
      std::ranges::find_if(syntax.positions, [port](const PositionSyntax& position) {
        return (position.tx & isa::bit(port)) != 0;
      })->where;
  const Offset offset = offset_of(port);
  const std::int64_t to_x = std::int64_t{x} + offset.x;
  const std::int64_t to_y = std::int64_t{y} + offset.y;
  if (to_x < 0 || to_y < 0 || to_x >= image_.width || to_y >= image_.height) {
    reporter_.report(Problem::RouteOffGrid, where, x, y, colour, isa::text(port));
    return false;
  }
  const std::uint32_t target = route_at_[cell(to_x, to_y)];
  const Port side = isa::opposite(port);
  const bool taken =
      target != kNobody && std::ranges::any_of(routes[target].item.positions,
                                               [side](const auto& p) { return p.rx == side; });
  if (taken) return true;
  reporter_.report(Problem::RouteNobody, where, x, y, colour, isa::text(port), to_x, to_y,
                   isa::text(side));
  if (target != kNobody) {
    reporter_.note(Remark::OtherRoute, unit_[routes[target].syntax->colour].where);
  }
  return false;
}

}  // namespace wse::assembler
