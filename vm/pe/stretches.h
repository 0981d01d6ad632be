// Stretches: scalar code that runs at once from one stop point to the next, ahead of the clock.
#pragma once

#include "vm/pe/core_table.h"
#include "vm/pe/core_traps.h"
#include "vm/pe/passing.h"
#include "vm/pe/plans.h"
#include "vm/pe/register_code.h"
#include "vm/pe/scalar_time.h"
#include "vm/pe/stretch_log.h"
#include "vm/pe/stretch_notes.h"
#include "vm/pe/successions.h"
#include "vm/pe/vector_start.h"

namespace wse::vm {

class Stretches {
 public:
  struct Peers {  // all must live longer
    CoreTraps& traps;
    ScalarTime& time;
    Plans& plans;
    Successions& successions;
    VectorStarts& starts;
  };
  Stretches(const CoreParts& parts, const Peers& peers);

  // Runs scalar code from now on; true if no time passed and the core is at a stop point.
  bool run(PeId pe, Core& core, Cycle now);

  struct Repeated {
    std::uint64_t steps = 0;  // that ended in time
    Cycle end = 0;            // of the last of them
    Work work = {};           // with the first that did not
  };
  // Runs the last stretch again, at most `most` instructions, marks and prints, up to the first
  // that ends after `end`, or, if it had to be passed, after `last`.
  Repeated repeat(PeId pe, Core& core, std::uint64_t most, Cycle end, Cycle last);

 private:
  // No stretch begins at the next instruction: the machine does it.
  bool stops_at_once(const Core& core) const;
  // A bank conflict of a microthread holds the slot.
  bool is_held(PeId pe, const Core& core, Cycle now);
  void begin_on_tape(const Core& core);
  void wait_a_cycle(PeId pe, Core& core, Cycle now);
  // Scalar code may run ahead through what can be passed.
  bool may_pass(const Core& core) const;
  // Lets scalar code run to where it stops, at most `limit` instructions without time passing.
  isa::Step run_services(PeId pe, Core& core, isa::ScalarState& state, std::uint64_t limit,
                         Cycle now);
  // Enters where the stretch that began in cycle `now` came to, if cycles of lines are counted.
  void enter_notes(PeId pe, Cycle now);
  void enter_stalls(PeId pe, Cycle now);
  void service(PeId pe, const Core& core, isa::ScalarState& state, Cycle now);
  // Makes the plan of the vector instruction that comes next, unless there is one.
  void make_plan(const Core& core, const isa::ScalarState& state);

  CoreParts parts_;
  Peers peers_;
  StretchRecorder recorder_;
  RegisterCode register_code_;
  StretchNotes notes_;
  PassedStalls stalls_;         // if slices of time are kept
  std::uint64_t most_written_;  // bytes, by vector instructions that one stretch passes
};

}  // namespace wse::vm
