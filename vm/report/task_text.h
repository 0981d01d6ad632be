// The waits of the tasks of a PE, in words.
#pragma once

#include <string>

#include "vm/report/mentions.h"
#include "vm/report/wait_graph.h"

namespace wse::vm {

// The sentence of a wait for a task: blocked, or behind wavelets that nobody takes.
std::string task_wait_text(const Scene& scene, PeId pe, const Wait& wait);

// "ran 3 times", "never ran": the task of that index, of a program with more than one.
std::string runs_text(const Scene& scene, PeId pe, std::uint32_t task);

// Says of a PE that has halted: " while task rest was still to run"; "" if no task was activated.
std::string missed_text(const Scene& scene, PeId pe);

// Returns the code word at which the main thread stands.
std::uint32_t main_pc(const Core& core);

// Names the activated tasks of a PE that cannot start, as its main thread waits: "; task close is
// activated, and starts only when the main thread is free"; "" if there is none.
std::string kept_text(const Scene& scene, PeId pe);

// Names such a task where it would do what is missed: ", in task close, which is activated but
// cannot start while the main thread waits at a.wsa:7"; else "".
std::string kept_task_text(const Scene& scene, PeId pe, Mention what, std::uint32_t number);

// Says of a PE on which no task runs: how often those ran that something has to start, and which
// lines start them: "; task count ran 3 times (activated at a.wsa:8), task stop never ran (...)".
std::string starts_text(const Scene& scene, PeId pe);

}  // namespace wse::vm
