// The successions of main threads: what their vector instructions leave to those after them
// (succession.h), kept for each core. Machines whose next instruction waits for the finish have
// none, nor have PEs whose programs have no vector instruction: memory of theirs is never touched.
#pragma once

#include "vm/pe/core_table.h"
#include "vm/pe/plans.h"
#include "vm/pe/succession.h"

namespace wse::vm {

class Successions {
 public:
  // `cores` and `plans` must live longer too.
  Successions(const CoreParts& parts, CoreTable& cores, Plans& plans)
      : parts_(parts), cores_(cores), plans_(plans) {}

  bool keeps(const Core& core) const { return cores_.keeps_succession(core); }
  // Only of a core of which something is kept.
  KeptSuccession& of(const Core& core) { return cores_.succession(core); }
  const isa::Succession& after(const Core& core) const {
    return keeps(core) ? cores_.succession(core).after : kNothing;
  }

  // A stretch that began in cycle `start` has come to `state`.
  void note_stretch(PeId pe, const Core& core, const isa::ScalarState& state, Cycle start);
  // An instruction has ended: after it, in cycle `end`, its finish.
  void note_finish(PeId pe, const Core& core, InFlight& ended, Cycle end);
  // True if a vector instruction of the main thread still drains: the PE is woken then.
  bool wait_for_drain(PeId pe, Core& core, Cycle now);
  // Memory stalls of an instruction of which the issues have begun, or will, but for those in which
  // a former one drains.
  std::uint64_t own_stalls(const Core& core, const InFlight& f) const;

 private:
  static constexpr isa::Succession kNothing = {};

  CoreParts parts_;
  CoreTable& cores_;
  Plans& plans_;
};

}  // namespace wse::vm
