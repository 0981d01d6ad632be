// The parts that all strips of a wafer share that one process runs: where PEs lie, their channels,
// the planes of routers and issue slots. A strip changes and reads only what belongs to its own
// blocks, and what never changes; nothing is there of the channels of other processes.
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
  // Cuts the PEs of the mesh into at most so many strips of whole bands, with about as many of
  // the PEs `placed` in each.
  static std::vector<PeRange> cut(const Parts& parts, std::uint32_t most);

  // For strips that were cut, each of which changes its own planes and wires; this process runs
  // those of the PEs `own`.
  Field(const Parts& parts, std::span<const PeRange> strips, const PeRange& own);
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  Grid grid;
  ChannelTable channels;
  RouterTable table;
  IssueTable issue;
};

}  // namespace wse::vm::wafer
