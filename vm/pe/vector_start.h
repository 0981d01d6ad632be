// The starts of vector instructions, in the cycle of the core or ahead of it.
#pragma once

#include <optional>

#include "vm/contract/jitter.h"
#include "vm/pe/core_table.h"
#include "vm/pe/core_traps.h"
#include "vm/pe/plans.h"
#include "vm/pe/successions.h"
#include "vm/pe/timers.h"
#include "vm/pe/vector_end.h"

namespace wse::vm {

class VectorStarts {
 public:
  struct Peers {  // all must live longer
    CoreTraps& traps;
    Plans& plans;
    Successions& successions;
    Timers& timers;
    VectorEnds& ends;
  };
  VectorStarts(const CoreParts& parts, const Peers& peers) : parts_(parts), peers_(peers) {}

  // Before the start: asynchronous instructions begin late.
  void start_late(const Jitter& jitter) { jitter_ = jitter; }
  // How late the thread is with what it begins in that cycle.
  Cycle lateness(ThreadId thread, Cycle now) const {
    return jitter_ ? jitter_->lateness(thread, now) : 0;
  }

  // Starts the instruction at the pc, if it is one that can be.
  void start(PeId pe, Core& core, Cycle now);
  // Starts the instruction at the pc in cycle `begin`, which has not come, if it is a vector
  // instruction of the main thread and all is certain. False if not: look again then.
  bool start_ahead(PeId pe, Core& core, Cycle begin);
  // Takes back the last start of the main thread, which has issued nothing. True if it was the
  // transport that was to step it.
  bool take_back(PeId pe, Core& core);
  // When an instruction that starts now may issue first: after its set-up, of which lateness is a
  // part.
  Cycle first_issue(PeId pe, const Core& core, const Plan& plan, Cycle now) const;

 private:
  // The no-ops before the first issue of an instruction that starts now.
  Cycle noops_of(PeId pe, const Plan& plan, Cycle now) const;
  std::optional<Complaint> check_its_queues(const Core& core, const Plan& plan) const;
  // Returns why the instruction of the plan may not start, if it may not.
  std::optional<Complaint> check_all(const Core& core, const Plan& plan, Cycle now) const;
  void begin(PeId pe, Core& core, const Plan& plan, Plan* own, Cycle now);
  // It issues from cycle `earliest` on.
  void launch(PeId pe, Core& core, InFlight& starting, bool timer, Cycle now, Cycle earliest);

  CoreParts parts_;
  Peers peers_;
  std::optional<Jitter> jitter_;
};

}  // namespace wse::vm
