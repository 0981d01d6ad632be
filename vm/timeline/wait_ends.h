// How waits of threads ended that a run was stopped in: by what, and what that had waited for.
//
//     at                          from      to      the front continues until signs of threads
//      |------ they wait ----------|---------|      change (ThreadSigns), on the fastest transport;
//                         |- lead -|         |      then a replay of the PEs from which something
//                       begin --- watched ---|      can reach them meanwhile keeps causes
//
// A replay that begins too late to know what let a wait end is repeated from an earlier cycle. From
// cycle `at` on it knows all that an answer tells: causes begin there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vm/timeline/timeline.h"

namespace wse::vm {

struct WaitEnds {
  std::vector<std::string> texts{};  // of the threads, in their order: wait_end_text(), or "": none
  Stop stop{};                       // if there is such one: up to where it was followed
};

// Cycles that decide how long an answer takes, and nothing else.
struct WaitSteps {
  Cycle first = 32;  // that are watched from `at` on
  Cycle apart = 32;  // between looks at the signs, at least; watched where these have changed
  Cycle lead = 32;   // before those, at first
};

// The front has stopped before cycle `at`; these threads, one at least, wait there. Each is
// followed for a million cycles at most. Errors: those of Timeline; an interrupt.
isa::Attempt<WaitEnds> wait_ends(Timeline& timeline, Cycle at, std::span<const ThreadId> threads,
                                 const WaitSteps& steps = {});

// Finds the ends of waits by a replay of the whole machine from `at` on, whatever it takes.
isa::Attempt<WaitEnds> wait_ends_of_whole(Timeline& timeline, Cycle at,
                                          std::span<const ThreadId> threads);

}  // namespace wse::vm
