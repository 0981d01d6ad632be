// Checks what the PEs of a machine must agree on: one program and one route per colour each, no
// route that leaves the grid or ends at a router that takes it from no such side, parameters that
// have values.
//
// Cost: proportional to the PEs that are covered, not to the number of statements.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "asm/mesh/placing.h"
#include "isa/image/placement_values.h"

namespace wse::assembler {

// Parts of which no error has taken anything. Only there can something be reported as missing.
struct Whole {
  bool routes = true;
  bool written_routes = true;  // those that programs write
  bool streams = true;
};

class MeshChecker {
 public:
  MeshChecker(const isa::Image& image, const Unit& unit, const Globals& globals, const Whole& whole,
              Reporter& reporter)
      : image_(image),
        topology_(image.topology()),
        unit_(unit),
        globals_(globals),
        whole_(whole),
        reporter_(reporter) {}

  void check_placements(const std::vector<PlacedProgram>& placements);
  // After check_placements() and check_streams(). Calls visit(colour) for every colour, while its
  // routes lie on the grid.
  void check_routes(const std::vector<PlacedRoute>& routes,
                    const std::function<void(std::uint32_t)>& visit);
  void check_filters(const std::vector<PlacedFilter>& filters);
  void check_streams(const std::vector<PlacedStream>& streams);

  // After check_placements(): finds the elements that each expectation is about.
  void resolve_expectations(std::vector<PlacedExpectation>& expectations);

  // Evaluates parameters and initial values where the placement puts them.
  void check_values(const std::vector<PlacedProgram>& placements);

  // The placement of a PE, if it has one.
  std::optional<std::uint32_t> placement_at(std::uint32_t pe) const;

  // ---- the colour of a visit (colour_ways.cpp)
  // Whether a position of the PE can send words up its ramp, one that its program writes too.
  bool may_deliver(const std::vector<PlacedRoute>& routes, std::uint32_t colour,
                   std::uint32_t pe) const;
  bool has_route(std::uint32_t pe) const { return route_at_[pe] != kNobody; }
  // Whether the PE has a route, or its program may write one.
  bool may_route(std::uint32_t colour, std::uint32_t pe) const;
  // The routing of a PE that nothing can replace or suspend; nullptr if something can, or if the PE
  // has no route.
  const isa::Routing* lasting_routing(const std::vector<PlacedRoute>& routes, std::uint32_t colour,
                                      std::uint32_t pe) const;
  // The position of a PE where nothing can change it or hold words up; else nullptr.
  const isa::SwitchPosition* lasting_position(const std::vector<PlacedRoute>& routes,
                                              std::uint32_t colour, std::uint32_t pe) const;

 private:
  static constexpr std::uint32_t kNobody = ~0u;

  std::size_t cell(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * image_.width + x);
  }
  // Colours by PE, a bit each; empty until it is needed.
  using Colours = std::vector<std::uint32_t>;
  // A routing that a program may write for a colour, which may be known only in a PE.
  struct Written {
    bool is_slot = false;
    std::uint32_t colour = 0;
    const isa::Routing* routing = nullptr;
  };
  enum class Takes : std::uint8_t { Never, IfRewritten, Yes };

  void check_colour(const std::vector<PlacedRoute>& routes, const std::vector<std::size_t>& mine,
                    std::uint32_t colour);
  void find_written();
  // Whether PE (x, y) takes the colour from that side, in any position of any routing.
  Takes takes(const std::vector<PlacedRoute>& routes, std::uint32_t colour, std::int64_t x,
              std::int64_t y, isa::Port side) const;
  // circle_checks.cpp
  void check_circles(const std::vector<PlacedRoute>& routes, const std::vector<std::size_t>& mine,
                     std::uint32_t colour);
  std::optional<std::uint32_t> circle_before(const std::vector<PlacedRoute>& routes,
                                             std::uint32_t colour, std::uint32_t pe,
                                             std::uint32_t before);
  void report_circle(const std::vector<PlacedRoute>& routes, std::uint32_t colour,
                     std::uint32_t pe);
  std::optional<std::uint32_t> router_before(const std::vector<PlacedRoute>& routes,
                                             std::uint32_t colour, std::uint32_t pe) const;
  // colour_ways.cpp
  const isa::SwitchPosition* only_position(const std::vector<PlacedRoute>& routes,
                                           std::uint32_t colour, std::uint32_t pe) const;
  // Calls visit(routing) for what the program of the PE may write for the colour, until it is true.
  template <class Visit>
  bool any_written(std::uint32_t colour, std::uint32_t pe, Visit visit) const;

  void check_stream_routes(const std::vector<PlacedRoute>& routes, std::uint32_t colour);
  bool check_stream_route(const std::vector<PlacedRoute>& routes, const PlacedStream& stream,
                          std::uint32_t x, std::uint32_t y);
  void report_unrouted(const PlacedStream& stream, std::uint32_t x, std::uint32_t y,
                       bool has_route);
  // Sets a bit at every PE of the rectangle up to the first that has it; false then.
  bool paint_colour(Colours& colours, const isa::StridedRect& rect, std::uint32_t colour,
                    Problem problem, const isa::SourceRange& where);
  Colours& stream_colours(isa::Port side, bool enters) {
    return stream_colours_[2 * static_cast<std::size_t>(side) + (enters ? 1 : 0)];
  }
  // Paints a route's PEs up to the first that has one already, which is reported; true if none has.
  bool paint(const std::vector<PlacedRoute>& routes, std::size_t index);
  void erase(const isa::StridedRect& rect, std::size_t index);
  void check_targets(const std::vector<PlacedRoute>& routes, std::size_t index);
  bool check_target(const std::vector<PlacedRoute>& routes, std::size_t index, std::uint32_t x,
                    std::uint32_t y, isa::Port port);
  bool resolve(PlacedExpectation& expectation);
  const isa::Symbol* expected_symbol(const PlacedExpectation& expectation, std::uint32_t program,
                                     std::int64_t x, std::int64_t y);
  std::optional<std::uint32_t> flat_index(const Expr& subject, const isa::Symbol& symbol);
  bool resolve_elements(PlacedExpectation& expectation, const isa::Symbol& symbol);
  void check_values_of(const PlacedProgram& placed);
  bool check_colours(const isa::Program& program, const isa::PlacementValues& values,
                     const isa::SourceRange& where, std::int64_t x, std::int64_t y);
  bool check_seed(isa::PlacementValues& values, const isa::SourceRange& where);
  bool check_task_ids(const PlacedProgram& placed, const isa::PlacementValues& values,
                      std::int64_t x, std::int64_t y);
  bool check_initial_values(const isa::Program& program, isa::PlacementValues& values,
                            const isa::SourceRange& where);

  const isa::Image& image_;
  const isa::Topology topology_;
  const Unit& unit_;
  const Globals& globals_;
  const Whole whole_;
  Reporter& reporter_;
  std::vector<std::uint32_t> program_at_;  // index of the placement, by PE
  std::vector<std::uint32_t> route_at_;    // index of the route of one colour, by PE
  std::vector<std::uint32_t> walk_at_;     // the last walk of check_circles() there, by PE
  std::uint32_t walks_ = 0;
  std::vector<std::uint32_t> placed_programs_;
  std::vector<std::vector<Written>> written_;                // by program
  std::array<Colours, 2 * isa::kMeshPorts> stream_colours_;  // by side, and whether it enters
  const std::vector<PlacedStream>* streams_ = nullptr;
};

}  // namespace wse::assembler
