// Which nodes of a graph of waits are worth showing, if not all can be.
#pragma once

#include "vm/report/wait_graph.h"

namespace wse::vm {

struct Choice {
  std::vector<NodeId> nodes;  // ascending
  std::size_t left_out = 0;   // nodes of PEs that are not done
};

// At most `most` nodes: first those of the loop, then those that wait for somebody who does not
// exist, then the others. Nodes that only serve are shown in the loop alone.
Choice choose(const WaitGraph& graph, const Loop& loop, std::size_t most);

}  // namespace wse::vm
