// Takes a machine through its cycles, in two parts: it passes cycles, and then shows all that
// Machine promises of a stop.
//
// On a large mesh the second part takes longer than many cycles. ThreadSigns and
// MachineState::write_hidden can do without.
#pragma once

#include <algorithm>

#include "vm/run/machine.h"

namespace wse::vm {

class Advance {
 public:
  // The machine must live longer. It has begun.
  explicit Advance(Machine& machine) : machine_(machine) {}

  // Does the cycles before `until`, as Machine::advance does.
  Stop pass(Cycle until);
  // Shows the machine, unless it is shown or has done nothing yet.
  void show();

  // The largest sum of cycles over all PEs: records hold it in 64 bits, and Lua's integers have a
  // sign.
  static constexpr std::uint64_t kMostPeCycles = ~std::uint64_t{0} >> 1;
  // Returns the cycles after which a run ends, so that no sum over its PEs exceeds kMostPeCycles.
  static Cycle most_cycles(std::size_t pes) {
    return kMostPeCycles / std::max<std::size_t>(pes, 1);
  }

 private:
  Machine& machine_;
};

}  // namespace wse::vm
