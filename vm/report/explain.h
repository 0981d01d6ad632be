// Explanations of a deadlock and of wavelets that nobody took, in plain words.
#pragma once

#include <string>

#include "vm/report/scene.h"

namespace wse::vm {

// Which threads wait for what, at which source line, who should have acted, and the shortest circle
// of PEs that wait for each other: several lines, however large the machine.
std::string explain_deadlock(const Scene& scene);

// Before a sentence about the first of several PEs that are alike: "PE(0..3, 0), 4 alike: "; "" of
// one.
std::string class_text(const Scene& scene, const std::vector<PeId>& places);

// Where the wavelets lie that were left over: one line for queues that are alike, the first ones
// only.
std::string explain_leftovers(const Scene& scene);

}  // namespace wse::vm
