// The cores of all PEs of a strip, from stop point to stop point.
//
//            stretch             stop point              finish, pick
//     Ready ---------> Computing ----------> Vector  ------------> Ready
//       ^                   |    ----------> Waiting ------------> Ready
//       |                   |    ----------> Saving  ------------> Ready
//       |                   |    ----------> Free    ------------> Computing (task start)
//       +-------------------+    ----------> Halted
//
// Everything a core does in a cycle it does before the issue slots and routers of that cycle. Each
// part of it has a class of its own, and this one calls them in their order.
#pragma once

#include "vm/pe/cohorts.h"
#include "vm/pe/core_state.h"
#include "vm/pe/core_table.h"
#include "vm/pe/core_traps.h"
#include "vm/pe/plans.h"
#include "vm/pe/rewind.h"
#include "vm/pe/scalar_time.h"
#include "vm/pe/standstill.h"
#include "vm/pe/stretches.h"
#include "vm/pe/successions.h"
#include "vm/pe/task_steps.h"
#include "vm/pe/timers.h"
#include "vm/pe/vector_end.h"
#include "vm/pe/vector_start.h"

namespace wse::vm {

class Cores : public TransportClient {
 public:
  explicit Cores(const CoreParts& parts);

  // Before the start. `skew`, a seed: the cycle counter of every PE begins with a value of its own.
  // `jitter`: PEs begin late, and so do their asynchronous instructions.
  void prepare(std::optional<std::uint64_t> skew, const std::optional<Jitter>& jitter);
  // Every PE with a program starts its task main in cycle 0.
  void start();
  void step(Cycle now);

  // Where the machine stops, before cycle `end`: applies what has issued but was kept back.
  void flush(Cycle end) { ends_.flush(end); }
  // At the end of a run of `end` cycles: how its PEs spent them is known.
  void close_activity(Cycle end);
  // After flush(): shows the cores of a machine that has stopped.
  Rewinder& rewinder() { return rewinder_; }

  // Launches tasks of a machine that stands still.
  TaskSteps& tasks() { return tasks_; }

  // To write down the cores of a machine that has stopped, or to take them up.
  CoreState& state() { return state_; }

  // See Cohorts.
  std::uint64_t joined_visits() const { return cohorts_.joined_visits(); }
  // See VectorEnds.
  Cycle quiet_finish() const { return ends_.quiet_finish(); }
  const Core& core(PeId pe) const { return cores_[pe]; }
  // Says which cores are done where nothing moves any more.
  Standstill& standstill() { return standstill_; }

  void moved(ThreadId thread, std::uint64_t first, std::uint32_t count, const FabricWords& words,
             Cycle cycle) override {
    ends_.moved(thread, first, count, words, cycle);
  }
  void end(ThreadId thread, std::uint64_t elements, Cycle cycle) override {
    ends_.end(thread, elements, cycle);
  }
  void controlled(ThreadId thread, std::size_t k, Cycle cycle) override {
    ends_.controlled(thread, k, cycle);
  }
  void left(PeId pe, std::uint32_t fifo, Level level, Cycle cycle) override {
    ends_.left(pe, fifo, level, cycle);
  }
  void torn_down(PeId pe, std::uint32_t colour, Cycle visible) override {
    tasks_.torn_down(pe, colour, visible);
  }
  void fetch(ThreadId thread, Fetch what, std::uint64_t first) override;
  void look_at(PeId pe, Cycle when) override { parts_.agenda.add(pe, when); }

 private:
  void step_core(PeId pe, Cycle now);
  // True if the main thread can execute its next instruction in this cycle.
  bool ready(PeId pe, Core& core, Cycle now);
  // Executes the instruction at a stop point.
  void act(PeId pe, Core& core, Cycle now);
  // Executes one that writes into the router of its PE.
  void configure(PeId pe, Core& core, Cycle now);
  // Ends the task or halts, when what its vector instructions did has drained.
  void end_task(PeId pe, Core& core, Cycle now);

  CoreParts parts_;
  CoreTable cores_;
  CoreTraps traps_;
  ScalarTime time_;
  Planner planner_;
  Plans plans_;
  Successions successions_;
  Timers timers_;
  TaskSteps tasks_;
  VectorEnds ends_;
  VectorStarts starts_;
  Cohorts cohorts_;
  Stretches stretches_;
  Rewinder rewinder_;
  Standstill standstill_;
  CoreState state_;
};

}  // namespace wse::vm
