// One thread that cannot go on, and what it waits for, in words.
#pragma once

#include <string>

#include "vm/report/wait_graph.h"

namespace wse::vm {

// "PE(1, 0) (main) at file.wsa:7 waits for a wavelet of colour red: it comes from ..."
std::string node_text(const WaitGraph& graph, NodeId id);

// The PE, and the thread where it is not the main one: "PE(1, 0) microthread 2".
std::string name_text(const WaitGraph& graph, NodeId id);

// Where the thread stands: "file.wsa:7"; of a main thread without a task: "no task".
std::string place_text(const WaitGraph& graph, NodeId id);

// What the wait is for, in few words: "red", "room on red", "FIFO q is empty".
std::string reason_text(const WaitGraph& graph, NodeId id, const Wait& wait);

// The whole sentence about the wait: "waits for a wavelet of colour red: it comes from ..."
std::string wait_text(const WaitGraph& graph, NodeId id, std::uint32_t wait);

}  // namespace wse::vm
