// The state of one PE and of its router, for whoever compares two machines cycle by cycle.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vm/report/scene.h"

namespace wse::vm {

// Returns names and values: what the main thread does, where it continues, registers that are not
// 0, instructions in flight by thread and, where they use the fabric or FIFOs, the elements that
// they issued, tasks that are activated or blocked, and by colour its position, whether it is torn
// down, and its queues that are not empty. PEs without a program have the last group alone.
std::vector<std::pair<std::string, std::string>> pe_state(const Scene& scene, PeId pe);

// The same in words, of a PE that has a program: its name, what the main thread does and where,
// the lines of instructions in flight, tasks that are activated or blocked, and colours that are
// torn down or have a position. Without registers, numbers of elements and queues.
std::vector<std::pair<std::string, std::string>> pe_outline(const Scene& scene, PeId pe);

}  // namespace wse::vm
