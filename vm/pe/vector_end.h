// Vector instructions of cores, from the start on: what the transport tells of them, and their
// finishes.
#pragma once

#include "vm/pe/core_table.h"
#include "vm/pe/core_traps.h"
#include "vm/pe/plans.h"
#include "vm/pe/successions.h"
#include "vm/pe/task_steps.h"
#include "vm/pe/timers.h"

namespace wse::vm {

class VectorEnds {
 public:
  struct Peers {  // all must live longer
    CoreTable& cores;
    CoreTraps& traps;
    Plans& plans;
    Successions& successions;
    Timers& timers;
    TaskSteps& tasks;
  };
  VectorEnds(const CoreParts& parts, const Peers& peers) : parts_(parts), peers_(peers) {}

  // ---- by the transport, as TransportClient says
  void moved(ThreadId thread, std::uint64_t first, std::uint32_t count, const FabricWords& words,
             Cycle cycle);
  void end(ThreadId thread, std::uint64_t elements, Cycle cycle);
  void controlled(ThreadId thread, std::size_t k, Cycle cycle);
  void left(PeId pe, std::uint32_t fifo, TransportClient::Level level, Cycle cycle);

  // Retires what has finished. Where nobody knew when the last element would issue, the drain is
  // seen here, when it has begun.
  void look_at(PeId pe, Core& core, Cycle now);
  // Takes the instructions that have finished out of the list, with all that their finish changes.
  void retire(PeId pe, Core& core, Cycle now);
  // Where the machine stops, before cycle `end`: applies what has issued but was kept back.
  void flush(Cycle end);

  // The last cycle in which an instruction finishes for which nobody is woken: the machine comes to
  // that cycle if nothing else happens. kNever if it has been there.
  Cycle quiet_finish() const { return quiet_until_ == 0 ? kNever : quiet_until_; }
  // The machine comes to that cycle in any case.
  void expect_quiet(Cycle finish) { quiet_until_ = std::max(quiet_until_, finish); }
  void forget_quiet(Cycle now) {
    if (quiet_until_ <= now) quiet_until_ = 0;
  }

 private:
  // The end of an instruction of a lane; null if the lane has to be by itself.
  const AlikeCore::Ended* after(AlikeCore& state, const AlikeCore::End& end);
  static void set_end(InFlight& f, std::uint64_t elements, Cycle cycle);
  // Returns what each PE tells of an instruction that has ended. It tells the rest itself, which is
  // the same for all PEs.
  VectorEnding ending(const Core& core, const InFlight& f, Cycle cycle);
  void tell(PeId pe, const VectorEnding& ending, Cycle cycle);

  CoreParts parts_;
  Peers peers_;
  Cycle quiet_until_ = 0;  // see quiet_finish(); 0: there is none
};

}  // namespace wse::vm
