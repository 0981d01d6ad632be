// What the tasks of a PE wait for, in words.
#pragma once

#include <string>

#include "vm/report/wait_graph.h"

namespace wse::vm {

// The sentence of a wait for a task: blocked, or behind wavelets that nobody takes.
std::string task_wait_text(const Scene& scene, PeId pe, const Wait& wait);

// "ran 3 times", "never ran": the task of that index, of a program with more than one.
std::string runs_text(const Scene& scene, PeId pe, std::uint32_t task);

// Of a PE that has halted: " while task rest was still to run"; "" if no task was activated.
std::string missed_text(const Scene& scene, PeId pe);

// Of a PE on which no task runs: how often those ran that something has to start, and which lines
// start them: "; task count ran 3 times (activated at a.wsa:8), task stop never ran (...)".
std::string starts_text(const Scene& scene, PeId pe);

}  // namespace wse::vm
