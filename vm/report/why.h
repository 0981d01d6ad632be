// What the threads of a stopped machine wait for, whether it may continue or not: the sentences of
// a deadlock, for any PEs and any cycle.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vm/report/scene.h"

namespace wse::vm {

// Threads that are alike, and the sentence about the first of them.
struct ThreadClass {
  ThreadId first{};
  std::vector<PeId> places{};  // of all of them
  bool waits = false;          // for something that the PE cannot do alone; else it continues
  std::string text{};
};

// Returns those of the wanted PEs: threads that wait first, then in the order of their PEs. Without
// PEs of which nobody wants work any more, unless `all`.
std::vector<ThreadClass> thread_classes(const Scene& scene,
                                        const std::function<bool(PeId pe)>& wanted, bool all);

}  // namespace wse::vm
