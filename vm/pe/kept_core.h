// A core as it is ahead of the cycle in which the machine stopped, kept while it is shown as it was
// in that cycle.
#pragma once

#include <cstddef>
#include <vector>

#include "vm/pe/core.h"

namespace wse::vm {

class KeptCore {
 public:
  explicit KeptCore(Core& core);

  // Makes it again what it was.
  void put_back(Core& core) const;
  // Returns the plan of the main thread's instruction in flight; null if it had none.
  const Plan* main_plan() const { return slots_.empty() ? nullptr : slots_[kMainThread].plan; }

 private:
  isa::PeState state_;
  std::vector<StretchLog::Held> descriptors_;
  std::vector<std::byte> memory_;  // that its stretch changed
  std::uint64_t log_elements_;
  std::uint64_t log_stalls_;
  Cycle resume_;
  Core::Main main_;
  InFlightList in_flight_;
  std::vector<InFlight> slots_;  // of all threads
};

}  // namespace wse::vm
