// The state of cores, one PE at a time, to be written down where the machine has stopped and taken
// up by another machine of the same program (vm/support/state_archive.h).
//
// Plans are not written: an instruction in flight is its pc and the descriptors that it found, of
// which the machine that takes it up makes the plan again.
#pragma once

#include "vm/pe/core_table.h"
#include "vm/pe/core_traps.h"
#include "vm/pe/plans.h"
#include "vm/pe/successions.h"
#include "vm/pe/vector_end.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

// A PE whose scalar code ran ahead of the clock is passed with what leads back; or it has been put
// back to the cycle of the clock.
enum class Ahead : std::uint8_t { Kept, PutBack };

class CoreState {
 public:
  struct Peers {  // all must live longer
    CoreTable& cores;
    CoreTraps& traps;
    Plans& plans;
    Successions& successions;
    VectorEnds& ends;
  };
  CoreState(const CoreParts& parts, const Peers& peers) : parts_(parts), peers_(peers) {}

  // Passes a PE with a program, when cycle `now` is done; memory is not part of it. Who reads it
  // has done no cycle.
  template <class Archive>
  void pass(Archive& archive, PeId pe, Cycle now, Ahead ahead);

  // The last cycle in which an instruction finishes for which nobody is woken; 0: there is none.
  Cycle quiet_until() const {
    return peers_.ends.quiet_finish() == kNever ? 0 : peers_.ends.quiet_finish();
  }
  void expect_quiet(Cycle finish) { peers_.ends.expect_quiet(finish); }
  // What vector instructions leave to those after them, see Successions.
  const isa::Succession& after(const Core& core) const { return peers_.successions.after(core); }

 private:
  template <class Archive>
  void pass_registers(Archive& archive, PeId pe, Core& core);
  template <class Archive>
  void pass_register(Archive& archive, PeId pe, Core& core, std::size_t number);
  template <class Archive>
  void pass_descriptor(Archive& archive, PeId pe, isa::Descriptor& descriptor);
  template <class Archive>
  void pass_tasks(Archive& archive, Core& core);
  template <class Archive>
  void pass_fifos(Archive& archive, Core& core);
  template <class Archive>
  void pass_in_flight(Archive& archive, PeId pe, Core& core, Cycle now);
  template <class Archive>
  void pass_log(Archive& archive, PeId pe, Core& core, Cycle now);
  template <class Archive>
  void pass_succession(Archive& archive, PeId pe, Core& core, Cycle now, Ahead ahead);
  // Passes times; those up to cycle `since` do not matter any more.
  template <class Archive>
  void pass_times(Archive& archive, PeId pe, isa::Succession& after, Cycle since);
  // Passes a plan that instructions in flight, or a succession, name; null where there is none.
  // `own` is set where who reads it has it alone.
  template <class Archive>
  void pass_plan(Archive& archive, PeId pe, const Plan*& plan, Plan*& own);
  static bool fits(const Core& core, InFlight& f, Cycle now);
  static bool may_be(const Core& core);

  CoreParts parts_;
  Peers peers_;
};

extern template void CoreState::pass(StateWriter&, PeId, Cycle, Ahead);
extern template void CoreState::pass(StateReader&, PeId, Cycle, Ahead);

}  // namespace wse::vm
