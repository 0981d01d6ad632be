// A rectangle of PEs that are run while all others stand still, to see again what happened in its
// middle.
//
// What a PE does reaches its neighbours over links, a cycle or more later: words, and places that
// become free. So nobody sees that those outside stand still before it has come to him:
//
//     outside | d = 1 | d = 2 | d = 3 ...     a PE whose nearest one outside is d links away is
//                                             exact in the first d cycles
#pragma once

#include <algorithm>

#include "isa/machine/topology.h"
#include "vm/support/pe_rect.h"
#include "vm/support/time.h"

namespace wse::vm {

class Cone {
 public:
  // Cycle `first` is the first that is run. The rectangle, which is not empty, lies on the mesh,
  // which is no cube.
  Cone(const isa::Topology& mesh, const PeRect& rect, Cycle first)
      : mesh_(mesh), rect_(rect), first_(first) {}

  bool has(PeId pe) const {
    return mesh_.x_of(pe) - rect_.x < rect_.width && mesh_.y_of(pe) - rect_.y < rect_.height;
  }
  // Returns how many links a PE of the rectangle is away from the nearest one that stands still;
  // kNever if there is none.
  Cycle depth(PeId pe) const {
    const std::uint32_t right = rect_.x + rect_.width;
    const std::uint32_t bottom = rect_.y + rect_.height;
    Cycle depth = kNever;
    if (rect_.x > 0) depth = std::min<Cycle>(depth, mesh_.x_of(pe) - rect_.x + 1);
    if (rect_.y > 0) depth = std::min<Cycle>(depth, mesh_.y_of(pe) - rect_.y + 1);
    if (right < mesh_.width()) depth = std::min<Cycle>(depth, right - mesh_.x_of(pe));
    if (bottom < mesh_.height()) depth = std::min<Cycle>(depth, bottom - mesh_.y_of(pe));
    return depth;
  }
  // Returns whether the PE begins that cycle as in the whole machine, and does the same in it.
  bool is_exact(PeId pe, Cycle cycle) const {
    return has(pe) && (cycle < first_ || cycle - first_ < depth(pe));
  }

 private:
  isa::Topology mesh_;
  PeRect rect_;
  Cycle first_;
};

}  // namespace wse::vm
