// Which nodes of a graph of waits are worth showing, if not all can be.
#pragma once

#include "vm/report/alike.h"

namespace wse::vm {

struct Choice {
  std::vector<NodeId> nodes;  // ascending
  std::size_t left_out = 0;   // nodes of PEs that are not done, and like none of those
};

// At most `most` nodes: first those of the loop, then those that wait for somebody who does not
// exist, then the others. Nodes that only serve are shown in the loop alone. With `alike` one node
// stands for its class.
Choice choose(const WaitGraph& graph, const Loop& loop, std::size_t most,
              const Alike* alike = nullptr);

}  // namespace wse::vm
