// The cores of all PEs: scalar code, starts and finishes of vector instructions, halts.
//
//            stretch             stop point              finish, pick
//     Ready ---------> Computing ----------> Vector  ------------> Ready
//       ^                   |    ----------> Waiting ------------> Ready
//       |                   |    ----------> Saving  ------------> Ready
//       |                   |    ----------> Free    ------------> Computing (task start)
//       +-------------------+    ----------> Halted
//
// Everything a core does in a cycle it does before the issue slots and routers of that cycle.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "isa/machine/profile.h"
#include "vm/contract/counters.h"
#include "vm/contract/jitter.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/ledger.h"
#include "vm/pe/checks.h"
#include "vm/pe/core.h"
#include "vm/pe/kept_core.h"
#include "vm/pe/plans.h"
#include "vm/pe/succession.h"
#include "vm/pe/views.h"
#include "vm/support/agenda.h"
#include "vm/support/pe_range.h"
#include "vm/support/untouched_table.h"

namespace wse::vm {

// Returns what scalar code has done.
inline Work work_of(const isa::ScalarState& state) {
  return {state.instructions, state.elements, state.flops, state.stalls};
}

class Cores : public TransportClient {
 public:
  struct Parts {  // what the cores work with; all must live longer
    const isa::Image& image;
    const isa::Profile& profile;
    const isa::Topology& mesh;
    PeRange pes;  // those of its strip
    Loaded& loaded;
    const ChannelMap& channels;
    Transport& transport;
    Executor& executor;
    Agenda& agenda;
    Ledger& ledger;
    FirstTrap& trap;
  };
  explicit Cores(const Parts& parts);

  // Before the start: the cycle counter of every PE begins with a value of its own.
  void skew_counters(std::uint64_t seed) { skew_seed_ = seed; }
  // Before the start: PEs begin late, and so do their asynchronous instructions.
  void start_late(const Jitter& jitter) { jitter_ = jitter; }
  // Every PE with a program starts its task main in cycle 0.
  void start();
  void step(Cycle now);

  // Where the machine stops, before cycle `end`: applies what has issued but was kept back.
  void flush(Cycle end);

  // At the end of a run of `end` cycles: how its PEs spent them is known.
  void close_activity(Cycle end) {
    for (const PeId pe : placed_) parts_.ledger.activity.close(pe, end);
  }

  // After flush(): shows the machine without what scalar code did ahead of time. Every PE is at an
  // instruction boundary, the last one at or before the start of cycle `end`. `last` is the last
  // cycle in which cores acted: what began in it, or before, has begun.
  void rewind(Cycle end, Cycle last);
  // After rewind(): the drains of what has ended count, and of timers that stall the cycles that
  // were.
  void show_ends(Cycle last);
  // Undoes both, but for what they told the ledger.
  void unwind();

  // The last cycle in which an instruction finishes for which nobody is woken: the machine comes to
  // that cycle if nothing else happens. kNever if it has been there.
  Cycle quiet_finish() const { return quiet_until_ == 0 ? kNever : quiet_until_; }
  const Core& core(PeId pe) const { return cores_[index(pe)]; }

  // ---- where nothing moves any more, in cycle `now` (standstill.cpp)
  // Whether the PE has no unfinished work.
  bool is_done(PeId pe, Cycle now) const;
  bool all_done(Cycle now) const;
  // Whether the thread waits for work only: it is no reason that the PE is not done.
  bool serves(ThreadId thread, Cycle now) const;

  void moved(ThreadId thread, std::uint64_t first, std::uint32_t count, const FabricWords& words,
             Cycle cycle) override;
  void end(ThreadId thread, std::uint64_t elements, Cycle cycle) override;
  void controlled(ThreadId thread, std::size_t k, Cycle cycle) override;
  void left(PeId pe, std::uint32_t fifo, Level level, Cycle cycle) override;
  // The teardown task of the colour, if the PE has one, may be picked from cycle `visible` on.
  void torn_down(PeId pe, std::uint32_t colour, Cycle visible) override;
  void fetch(ThreadId thread, Fetch what) override;
  void look_at(PeId pe, Cycle when) override { parts_.agenda.add(pe, when); }

 private:
  // Whether the instruction in flight may stay unfinished when the run ends.
  bool may_stay(PeId pe, const Core& core, const InFlight& f, Cycle now) const;
  // Its core; kNoProgram if it has none.
  std::uint32_t index(PeId pe) const { return index_[parts_.pes.index(pe)]; }
  Core& core_of(PeId pe) { return cores_[index(pe)]; }
  void step_core(PeId pe, Core& core, Cycle now);
  // Where nobody knew when the last element would issue, the drain is seen when it has begun.
  void look_at_drain(PeId pe, const InFlight& f, Cycle now);
  void retire(PeId pe, Core& core, Cycle now);
  // True if the main thread can execute its next instruction in this cycle.
  bool ready(PeId pe, Core& core, Cycle now);
  bool pick(PeId pe, Core& core, Cycle now);
  static void take_arguments(Core& core, const isa::Task& task, std::uint32_t wavelet);
  void start_task(PeId pe, Core& core, const isa::Task& task, Cycle now);
  void act_on_task(PeId pe, Core& core, Cycle now);
  // What an asynchronous instruction does at its finish.
  struct Completed {
    isa::Completion action;
    std::uint32_t id;  // of the task or colour
    std::uint32_t pc;  // of the instruction
  };
  void complete(PeId pe, Core& core, const Completed& completed, Cycle now);
  // Activates or unblocks the id in the middle of an instruction: seen from the next cycle on.
  void tell(PeId pe, Core& core, isa::Op op, std::uint32_t id, std::uint32_t pc, Cycle now);
  Surroundings surroundings(const Core& core) const;
  // Instructions that are done without time passing count from that cycle on, if it is a new one.
  static void count_burst(Core& core, Cycle cycle) {
    if (core.burst_cycle == cycle) return;
    core.burst = 0;
    core.burst_cycle = cycle;
  }
  // No stretch begins at the next instruction: the machine does it.
  bool stops_at_once(const Core& core) const;
  // What vector instructions of a main thread leave to the next ones.
  struct Following {
    isa::Succession after;
    isa::Succession at_stretch;  // where the last stretch began
    Plan* own = nullptr;         // `former`, if nobody else has that plan
  };
  static constexpr isa::Succession kNothingBefore = {};
  // ---- following.cpp: where the next instruction waits for the last issue of the former one
  bool follows() const { return !following_.empty(); }
  Following& following_of(const Core& core) {
    return following_[static_cast<std::size_t>(&core - cores_.data())];
  }
  const isa::Succession& after(const Core& core) const {
    return follows() ? following_[static_cast<std::size_t>(&core - cores_.data())].after
                     : kNothingBefore;
  }
  void keep_after(PeId pe, const Core& core, const isa::ScalarState& state, Cycle start);
  void note_followed(PeId pe, const Core& core, InFlight& ended, Cycle end);
  // True if a vector instruction of the main thread still drains: the PE is woken then.
  bool waits_for_drain(PeId pe, Core& core, Cycle now);
  // Memory stalls of an instruction of which the issues have begun, or will, but for those in which
  // a former one drains.
  std::uint64_t own_stalls(const Core& core, const InFlight& f) const;
  // Runs scalar code from now on; true if no time passed and the core is at a stop point.
  bool run_scalar(PeId pe, Core& core, Cycle now);
  // The time that was charged passes, the slot held in its first part. Who spends wakes the PE.
  void spend(PeId pe, Core& core, const isa::ScalarState& charged, Cycle now);
  isa::Step run_services(PeId pe, Core& core, isa::ScalarState& state, std::uint64_t limit,
                         Cycle now);
  // Runs the last stretch again, at most `most` instructions, marks and prints, up to the first
  // that ends after `end`, or, if it had to be passed, after `last`.
  struct Repeated {
    std::uint64_t steps = 0;  // that ended in time
    Cycle end = 0;            // of the last of them
    Work work = {};           // with the first that did not
  };
  Repeated repeat_stretch(PeId pe, Core& core, std::uint64_t most, Cycle end, Cycle last);
  void service(PeId pe, const Core& core, isa::ScalarState& state, Cycle now);
  // The counter of the PE in that cycle of the run.
  std::uint64_t counter_of(PeId pe, Cycle now) const;
  void pass_stop_point(PeId pe, Core& core, Cycle now);
  void act(PeId pe, Core& core, Cycle now);
  void configure(PeId pe, Core& core, Cycle now);
  void start_vector(PeId pe, Core& core, Cycle now);
  void begin_vector(PeId pe, Core& core, const Plan& plan, Plan* own, Cycle now);
  // Starts the instruction at the pc in cycle `begin`, which has not come, if it is a vector
  // instruction of the main thread and all is certain. False if not: look again then.
  bool start_ahead(PeId pe, Core& core, Cycle begin);
  void take_back_start(PeId pe, Core& core);
  // PEs that are rewound.
  struct Rewound {
    PeId pe = 0;
    KeptCore before;
    Following following;         // if it follows
    bool is_taken_back = false;  // an instruction that was started ahead of time,
    bool is_cancelled = false;   // and which the transport had
  };
  void rewind_stretch(PeId pe, Core& core, Cycle end, Cycle last);
  void unwind(const Rewound& rewound);
  std::optional<Complaint> check_its_queues(const Core& core, const Plan& plan) const;
  // Nothing, or why the instruction of the plan may not start.
  std::optional<Complaint> check_all(const Core& core, const Plan& plan, Cycle now) const;
  // When an instruction that starts now may issue first: after its set-up, of which lateness is a
  // part.
  Cycle first_issue(PeId pe, const Core& core, const Plan& plan, Cycle now) const;
  void launch(PeId pe, Core& core, InFlight& starting, bool timer, Cycle now);
  // ---- timers.cpp
  bool is_timer(const Core& core, const Plan& plan, Cycle earliest) const;
  void start_timer(PeId pe, InFlight& starting, Cycle earliest, bool alone);
  void move_timer(PeId pe, Core& core, InFlight& f, Cycle end);
  // Where the machine stops in cycle `last`: of one that stalls, only the cycles that were.
  void look_at_stalls(PeId pe, const InFlight& timer, Cycle last);
  // Scalar code may run ahead through what can be passed.
  bool may_pass(const Core& core) const;
  // Where the main thread must act, or a trace is written, the PE is looked at when it finishes.
  void wake_at_finish(PeId pe, const Core& core, const InFlight& f);
  // What the instruction took from the fabric and sent to it.
  void remember_words(PeId pe, const InFlight& ended);
  // The next instruction is scalar code that holds the issue slot.
  bool needs_slot(const Core& core) const;
  void raise(PeId pe, const Core& core, isa::Trap trap, std::string detail, Cycle now);
  void raise_at(PeId pe, std::uint32_t pc, isa::Trap trap, std::string detail, Cycle now);
  // Of a trap in scalar code whose cycle has not come.
  struct PendingTrap {
    isa::Trap trap = isa::Trap::BadInstruction;
    std::uint32_t address = 0;
    std::string detail;  // of an access that was refused
  };
  static std::string bad_descriptor_text(const Core& core, const PendingTrap& trap);
  std::string scalar_trap_text(const Core& core, const PendingTrap& trap) const;

  Parts parts_;
  isa::CostTable costs_;
  std::optional<std::uint64_t> skew_seed_;
  std::optional<Jitter> jitter_;
  StretchRecorder recorder_;
  Views views_;
  std::vector<isa::DescriptorRegisters> registers_;  // of the PEs whose programs name one
  Planner planner_;
  Plans plans_;
  std::uint64_t most_written_;  // bytes, by vector instructions that one stretch passes
  // Of all cores, a slot for each thread of their programs.
  UntouchedTable<InFlight> in_flight_;
  std::unordered_map<PeId, PendingTrap> pending_traps_;
  std::vector<Rewound> rewound_;
  Cycle quiet_until_ = 0;             // see quiet_finish(); 0: there is none
  std::span<const PeId> placed_;      // its PEs with a program, ascending
  std::vector<std::uint32_t> index_;  // of its PEs, see index()
  std::vector<Core> cores_;           // of the PEs with a program
  std::vector<Following> following_;  // of the same, if the next instruction need not wait
};

}  // namespace wse::vm
