// Paints placements and routes onto the grid and looks at neighbours.
#include "asm/mesh/mesh_checks.h"

#include <algorithm>

#include "asm/syntax/rewrites.h"
#include "isa/instruction/each_instruction.h"

namespace wse::assembler {
namespace {

using isa::Port;

// Returns the line that gives a PE a route of one position.
std::string route_line(std::string_view colour, std::uint32_t x, std::uint32_t y,
                       std::string_view position) {
  return fmt::format(".route {} at ({}, {}): {}", colour, x, y, position);
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

void MeshChecker::check_routes(const std::vector<PlacedRoute>& routes,
                               const std::function<void(std::uint32_t)>& visit) {
  std::vector<std::vector<std::size_t>> by_colour(isa::kMaxColours);
  for (std::size_t k = 0; k < routes.size(); ++k) by_colour[routes[k].item.colour].push_back(k);
  route_at_.assign(std::size_t{image_.width} * image_.height, kNobody);
  find_written();
  for (std::uint32_t colour = 0; colour < by_colour.size(); ++colour) {
    const std::vector<std::size_t>& mine = by_colour[colour];
    check_colour(routes, mine, colour);
    visit(colour);
    for (const std::size_t k : mine) erase(routes[k].item.rect, k);
  }
}

void MeshChecker::check_colour(const std::vector<PlacedRoute>& routes,
                               const std::vector<std::size_t>& mine, std::uint32_t colour) {
  std::vector<std::size_t> whole;  // others may meet at every PE; each is visited up to the first
  for (const std::size_t k : mine) {
    if (paint(routes, k)) whole.push_back(k);
  }
  for (const std::size_t k : whole) check_targets(routes, k);
  if (whole.size() != mine.size()) return;
  check_stream_routes(routes, colour);
  check_circles(routes, mine, colour);
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
  for (const isa::SwitchPosition& position : route.routing.positions) ports |= position.tx;
  for (std::uint32_t k = 0; k < topology_.links(); ++k) {
    const Port port = topology_.link_port(k);
    if ((ports & isa::bit(port)) == 0) continue;
    isa::for_each_until(route.rect, [&](std::uint32_t x, std::uint32_t y) {
      return check_target(routes, index, x, y, port);
    });
  }
}

bool MeshChecker::check_target(const std::vector<PlacedRoute>& routes, std::size_t index,
                               std::uint32_t x, std::uint32_t y, Port port) {
  const RouteSyntax& syntax = *routes[index].syntax;
  const std::uint32_t number = routes[index].item.colour;
  const std::string colour = image_.colour_name(number);
  const isa::SourceRange& where =
      std::ranges::find_if(syntax.routing.positions, [port](const PositionSyntax& position) {
        return (position.tx & isa::bit(port)) != 0;
      })->where;
  const std::optional<std::uint32_t> there = topology_.neighbour(topology_.pe_at(x, y), port);
  if (!there) {
    if (!whole_.streams) return true;
    const Colours& leave = stream_colours(port, false);
    if (!leave.empty() && (leave[cell(x, y)] >> number & 1) != 0) return true;
    reporter_.report(Problem::RouteOffGrid, where, x, y, colour, isa::text(port));
    return false;
  }
  if (!whole_.routes || !whole_.written_routes) return true;
  const std::uint32_t to_x = topology_.x_of(*there);
  const std::uint32_t to_y = topology_.y_of(*there);
  const Port side = isa::opposite(port);
  const Takes takes = this->takes(routes, number, to_x, to_y, side);
  if (takes == Takes::Yes) return true;
  const bool rewritten = takes == Takes::IfRewritten;
  const std::uint32_t target = route_at_[cell(to_x, to_y)];
  reporter_.report(rewritten ? Problem::RouteRewritten : Problem::RouteNobody, where, x, y, colour,
                   isa::text(port), to_x, to_y, isa::text(side), target == kNobody ? colour : "");
  if (target != kNobody) {
    reporter_.note(Remark::OtherRoute, unit_[routes[target].syntax->colour].where);
  } else if (!rewritten) {
    const std::string sides = fmt::format("{} -> ramp", isa::text(side));
    reporter_.spells(line_above(syntax.where, route_line(colour, to_x, to_y, sides)));
  }
  return false;
}

void MeshChecker::find_written() {
  for (const isa::Program& program : image_.programs) {
    std::vector<Written>& list = written_.emplace_back();
    isa::for_each_instruction(program.code, [&](const isa::Instruction& i, std::uint32_t) {
      if (i.op != isa::Op::SetRoute) return;
      const Written made{i.colour_kind != 0, i.colour, &program.routings[i.target].routing};
      const auto same = [&made](const Written& w) {
        return w.is_slot == made.is_slot && w.colour == made.colour && w.routing == made.routing;
      };
      if (std::ranges::none_of(list, same)) list.push_back(made);
    });
  }
}

MeshChecker::Takes MeshChecker::takes(const std::vector<PlacedRoute>& routes, std::uint32_t colour,
                                      std::int64_t x, std::int64_t y, Port side) const {
  const auto from_side = [side](const isa::Routing& routing) {
    return std::ranges::any_of(routing.positions, [side](const auto& p) { return p.rx == side; });
  };
  const std::uint32_t route = route_at_[cell(x, y)];
  if (route != kNobody && from_side(routes[route].item.routing)) return Takes::Yes;
  const std::uint32_t placement = program_at_[cell(x, y)];
  if (placement == kNobody) return Takes::Never;
  Takes found = Takes::Never;
  for (const Written& written : written_[placed_programs_[placement]]) {
    if (!written.is_slot && written.colour != colour) continue;
    if (from_side(*written.routing)) return Takes::Yes;
    found = Takes::IfRewritten;
  }
  return found;
}

void MeshChecker::check_filters(const std::vector<PlacedFilter>& filters) {
  Colours filtered;
  for (const PlacedFilter& filter : filters) {
    paint_colour(filtered, filter.item.rect, filter.item.colour, Problem::TwoFilters,
                 unit_[filter.syntax->colour].where);
  }
}

void MeshChecker::check_streams(const std::vector<PlacedStream>& streams) {
  streams_ = &streams;
  for (const PlacedStream& stream : streams) {
    const Named& name = stream.syntax->name.name;
    for (const isa::Program& program : image_.programs) {
      const isa::Symbol* symbol = program.find_symbol(name.text);
      if (symbol == nullptr || !symbol->exported) continue;
      reporter_.report(Problem::StreamName, name.where, name.text, program.name);
    }
    paint_colour(stream_colours(stream.item.side, stream.item.enters), stream.item.rect,
                 stream.item.colour, Problem::TwoStreams, unit_[stream.syntax->colour].where);
  }
}

bool MeshChecker::paint_colour(Colours& colours, const isa::StridedRect& rect, std::uint32_t colour,
                               Problem problem, const isa::SourceRange& where) {
  colours.resize(std::size_t{image_.width} * image_.height);
  return isa::for_each_until(rect, [&](std::uint32_t x, std::uint32_t y) {
    std::uint32_t& here = colours[cell(x, y)];
    if ((here >> colour & 1) != 0) {
      reporter_.report(problem, where, x, y, image_.colour_name(colour));
      return false;
    }
    here |= 1u << colour;
    return true;
  });
}

void MeshChecker::check_stream_routes(const std::vector<PlacedRoute>& routes,
                                      std::uint32_t colour) {
  for (const PlacedStream& stream : *streams_) {
    if (stream.item.colour != colour) continue;
    isa::for_each_until(stream.item.rect, [&](std::uint32_t x, std::uint32_t y) {
      return check_stream_route(routes, stream, x, y);
    });
  }
}

void MeshChecker::report_unrouted(const PlacedStream& stream, std::uint32_t x, std::uint32_t y,
                                  bool has_route) {
  const bool enters = stream.item.enters;
  const std::string_view side = isa::text(stream.item.side);
  const std::string colour = image_.colour_name(stream.item.colour);
  const auto sides = [&](std::string_view other) {
    return enters ? fmt::format("{} -> {}", side, other) : fmt::format("{} -> {}", other, side);
  };
  const std::string ramp = sides(isa::text(Port::Ramp));
  reporter_.report(Problem::StreamUnrouted, unit_[stream.syntax->colour].where, x, y,
                   enters ? "takes" : "sends", colour,
                   fmt::format("{} {}", enters ? "from" : "to", side), has_route ? "" : ramp,
                   sides("..."));
  if (has_route) return;
  reporter_.spells(line_above(stream.syntax->name.name.where, route_line(colour, x, y, ramp)));
}

bool MeshChecker::check_stream_route(const std::vector<PlacedRoute>& routes,
                                     const PlacedStream& stream, std::uint32_t x, std::uint32_t y) {
  const std::uint32_t route = route_at_[cell(x, y)];
  bool good = false;
  if (!whole_.routes || !whole_.written_routes) {
    good = true;
  } else if (stream.item.enters) {
    good = takes(routes, stream.item.colour, x, y, stream.item.side) != Takes::Never;
  } else if (route != kNobody) {
    good = std::ranges::any_of(routes[route].item.routing.positions, [&](const auto& p) {
      return (p.tx & isa::bit(stream.item.side)) != 0;
    });
  }
  if (!good) report_unrouted(stream, x, y, route != kNobody);
  return good;
}

}  // namespace wse::assembler
