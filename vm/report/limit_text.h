// The state of a machine that reached its limit of cycles, in words.
#pragma once

#include <string>

#include "vm/report/scene.h"

namespace wse::vm {

// Says how many PEs are not done and, a line for those that are alike, where their main threads
// are, how often their tasks ran, and which activated tasks never did: those that wait behind
// others, and those that are blocked. These PEs come first.
std::string limit_text(const Scene& scene);

}  // namespace wse::vm
