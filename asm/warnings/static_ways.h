// Where the words of a colour go that all routers on their way send the same way for ever: found
// by the routes alone, for one PE at a time.
//
// Says "unknown" where a route has several positions, begins torn down or can be written, and where
// enough routers have been looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "asm/mesh/placing.h"
#include "isa/image/image.h"
#include "isa/machine/topology.h"

namespace wse::assembler {

class StaticWays {
 public:
  StaticWays(const isa::Image& image, const std::vector<PlacedProgram>& placements,
             const std::vector<PlacedRoute>& routes);

  // A PE up whose ramp words go, and the links on the way to it.
  struct Target {
    std::uint32_t pe = 0;
    std::uint32_t links = 0;
  };
  // Returns the ways of what the PE sends up its ramp, or nothing if a part of it is unknown, or
  // its own router does not take it.
  std::optional<std::vector<Target>> targets(std::uint32_t pe, std::uint32_t colour);

  // Returns the PE whose ramp is the only source of the words that come down the ramp of `pe`;
  // nothing if that is unknown or a stream.
  std::optional<std::uint32_t> source(std::uint32_t pe, std::uint32_t colour);

  // The placement of a PE, if it has one.
  std::optional<std::uint32_t> placement_at(std::uint32_t pe) const;

 private:
  // The only position of a router; nullptr if it is unknown or has none.
  const isa::SwitchPosition* position_at(std::uint32_t pe, std::uint32_t colour);

  const isa::Image& image_;
  const isa::Topology topology_;
  const std::vector<PlacedProgram>& placements_;
  std::vector<std::vector<const PlacedRoute*>> routes_;  // by colour
  std::size_t looks_;
};

}  // namespace wse::assembler
