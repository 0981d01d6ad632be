// What the PEs of a mesh must agree on: one program and one route per colour each, no route that
// leaves the grid or ends at a router that takes it from no such side, parameters that have values.
//
// Cost: proportional to the PEs that are covered, not to the number of statements.
#pragma once

#include <vector>

#include "asm/placing.h"
#include "isa/placement_values.h"

namespace wse::assembler {

class MeshChecker {
 public:
  MeshChecker(const isa::Image& image, const Unit& unit, const Globals& globals, Reporter& reporter)
      : image_(image), unit_(unit), globals_(globals), reporter_(reporter) {}

  void check_placements(const std::vector<PlacedProgram>& placements);
  void check_routes(const std::vector<PlacedRoute>& routes);

  // After check_placements(): finds the elements that each expectation is about.
  void resolve_expectations(std::vector<PlacedExpectation>& expectations);

  // Evaluates parameters and initial values where the placement puts them.
  void check_values(const std::vector<PlacedProgram>& placements);

 private:
  static constexpr std::uint32_t kNobody = ~0u;

  std::size_t cell(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * image_.width + x);
  }
  void check_colour(const std::vector<PlacedRoute>& routes, const std::vector<std::size_t>& mine);
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
  bool check_initial_values(const isa::Program& program, isa::PlacementValues& values,
                            const isa::SourceRange& where);

  const isa::Image& image_;
  const Unit& unit_;
  const Globals& globals_;
  Reporter& reporter_;
  std::vector<std::uint32_t> program_at_;  // index of the placement, by PE
  std::vector<std::uint32_t> route_at_;    // index of the route of one colour, by PE
  std::vector<std::uint32_t> placed_programs_;
};

}  // namespace wse::assembler
