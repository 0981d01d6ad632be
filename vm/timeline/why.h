// Why PEs waited at a cycle of a run: what a deadlock would say of a machine that was stopped
// there, and how each wait ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vm/timeline/timeline.h"

namespace wse::vm {

struct WhyQuestion {
  Cycle at = 0;                                 // the cycles before it are done
  std::optional<PeRect> rect{};                 // of these PEs; none: of all that are not done
  std::optional<std::uint32_t> class_number{};  // of the answer without it; none: the first ones
};

// Returns lines: a head, then a class of threads that are alike each, and how its wait ended. Where
// the run was over before, what it ended with. Errors: those of Timeline; no class of that number.
isa::Attempt<std::string> why(Timeline& timeline, const WhyQuestion& question);

}  // namespace wse::vm
