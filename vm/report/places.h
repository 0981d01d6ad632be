// Many PEs in few words: as rectangles.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/topology.h"
#include "vm/support/time.h"

namespace wse::vm {

// Returns strided rectangles that hold each of the PEs, which ascend, once. They are few where PEs
// lie in regular patterns; found greedily, in time n log n.
std::vector<isa::StridedRect> rectangles_of(const isa::Topology& mesh, std::span<const PeId> pes);

// "PE(1..510, 0..511), PE(0, 5) and 12 more PEs": the first rectangles, and how many PEs are in the
// others.
std::string places_text(const isa::Topology& mesh, std::span<const PeId> pes);

// "PE(3, 0)".
std::string pe_text(const isa::Topology& mesh, PeId pe);

}  // namespace wse::vm
