// Names of topologies.
#include "isa/machine/topology.h"

#include <fmt/format.h>

namespace wse::isa {

std::string Topology::text() const {
  if (!is_hypercube()) return "a mesh";
  return fmt::format("a hypercube of {} dimension{}", dimensions_, dimensions_ == 1 ? "" : "s");
}

}  // namespace wse::isa
