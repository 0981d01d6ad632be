// One thread that cannot continue, and what it waits for, in words.
#pragma once

#include <string>

#include "vm/report/wait_graph.h"

namespace wse::vm {

// "PE(1, 0) (main) at file.wsa:7 received 3 of 4 words of red and waits: the next should come ..."
std::string node_text(const WaitGraph& graph, NodeId id);

// The PE, and the thread where it is not the main one: "PE(1, 0) microthread 2".
std::string name_text(const WaitGraph& graph, NodeId id);

// Where the thread is: "file.wsa:7"; of a main thread without a task: "no task".
std::string place_text(const WaitGraph& graph, NodeId id);

// Says what the wait is for, in few words: "red, 3 of 4", "FIFO q is empty".
std::string reason_text(const WaitGraph& graph, NodeId id, const Wait& wait);

// The whole sentence about the wait: "received 3 of 4 words of red and waits: the next ..."
std::string wait_text(const WaitGraph& graph, NodeId id, std::uint32_t wait);

// Says what else may be the reason: see task_text.h and remarks.h. Each begins with "; ".
std::string remarks_text(const WaitGraph& graph, NodeId id);

}  // namespace wse::vm
