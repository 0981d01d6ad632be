// The end of a walk along a route in words: why a wavelet does not come, or cannot continue.
#pragma once

#include <string>

#include "vm/report/wait_graph.h"

namespace wse::vm {

// "the next should come from PE(0, 0), which has halted after sending 3 words (a.wsa:7)"; of the
// wait `index`, which is for an input or an output.
std::string spot_text(const WaitGraph& graph, NodeId id, std::uint32_t index);

}  // namespace wse::vm
