// The successions of main threads: what their vector instructions leave to those after them
// (succession.h), kept for each core. Machines whose next instruction waits for the finish have
// none, nor have PEs whose programs have no vector instruction: memory of theirs is never touched.
#pragma once

#include "vm/pe/core_table.h"
#include "vm/pe/plans.h"
#include "vm/pe/succession.h"
#include "vm/support/untouched_table.h"

namespace wse::vm {

class Successions {
 public:
  // The part of one core.
  struct Kept {
    isa::Succession after;
    isa::Succession at_stretch;  // where the last stretch began
    Plan* own = nullptr;         // `former`, if nobody else has that plan
  };

  // `cores` and `plans` must live longer too.
  Successions(const CoreParts& parts, const CoreTable& cores, Plans& plans);

  bool keeps(const Core& core) const { return kept_.size() > 0 && core.program->threads > 0; }
  // Only of a core of which something is kept.
  Kept& of(const Core& core) { return kept_[cores_.place(core)]; }
  const isa::Succession& after(const Core& core) const {
    return keeps(core) ? kept_[cores_.place(core)].after : kNothing;
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
  const CoreTable& cores_;
  Plans& plans_;
  UntouchedTable<Kept> kept_;  // by the places of the cores
};

}  // namespace wse::vm
