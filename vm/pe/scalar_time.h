// The time that scalar code takes from its PE, and the cycle counters that it reads.
#pragma once

#include <optional>

#include "vm/pe/core.h"
#include "vm/pe/core_parts.h"

namespace wse::vm {

class ScalarTime {
 public:
  explicit ScalarTime(const CoreParts& parts) : parts_(parts), costs_(parts.profile) {}

  // Before the start: the cycle counter of every PE begins with a value of its own.
  void skew_counters(std::uint64_t seed) { skew_seed_ = seed; }
  // The counter of the PE in that cycle of the run.
  std::uint64_t counter_of(PeId pe, Cycle now) const;

  // The time that was charged passes, the slot held in its first part. The caller wakes the PE.
  void spend(PeId pe, Core& core, const isa::ScalarState& charged, Cycle now);
  // The machine has acted at a stop point: the instruction takes its time.
  void pass_stop_point(PeId pe, Core& core, Cycle now);
  // Returns whether the next instruction is scalar code that holds the issue slot.
  bool needs_slot(const Core& core) const;

 private:
  CoreParts parts_;
  isa::CostTable costs_;
  std::optional<std::uint64_t> skew_seed_;
};

}  // namespace wse::vm
