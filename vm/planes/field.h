// The parts that all strips of a wafer share: where PEs lie, their channels, the planes of routers
// and issue slots. A strip changes and reads only what belongs to its own blocks, and what never
// changes.
#pragma once

#include <span>
#include <vector>

#include "vm/planes/bits/channel_table.h"
#include "vm/planes/bits/grid.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/router_table.h"

namespace wse::vm::wafer {

struct Field {
  struct Parts {  // what it works with; all must live longer
    const isa::Image& image;
    const isa::Profile& profile;
    const isa::Topology& mesh;
    const ChannelMap& channels;
    std::span<const PeId> placed;  // with a program, ascending
  };
  explicit Field(const Parts& parts);
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  // Cuts the PEs of the mesh into at most so many strips of whole bands, with about as many of
  // the PEs `placed` in each.
  std::vector<PeRange> cut(std::span<const PeId> placed, std::uint32_t most) const;

  // Prepares for strips that were cut: each changes its own planes and wires.
  void share(std::span<const PeRange> strips);

  Grid grid;
  ChannelTable channels;
  RouterTable table;
  IssueTable issue;
};

}  // namespace wse::vm::wafer
