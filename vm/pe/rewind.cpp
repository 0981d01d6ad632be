// Scalar code that ran ahead of the cycle in which the machine stopped, put back to its time, and
// forward again where the machine continues.
//
//     flush       what has issued is applied; it stays so
//     rewind      PEs that are ahead are shown as they were, and what they are is kept
//     unwind      they are again what they are
#include <algorithm>

#include "vm/pe/cores.h"
#include "vm/pe/passing.h"
#include "vm/pe/scalar_step.h"

namespace wse::vm {
void Cores::rewind(Cycle end, Cycle last) {
  for (const PeId pe : placed_) {
    Core& core = core_of(pe);
    const StretchLog& log = core.log;
    const bool has_started = core.main == Core::Main::Vector && core.resume > last;
    const bool is_ahead = log.end > (log.passed ? last : end);
    if (has_started || is_ahead) {
      rewound_.push_back({.pe = pe, .before = KeptCore(core), .following = {}});
      if (follows()) rewound_.back().following = following_of(core);
    }
    if (has_started) take_back_start(pe, core);
    if (is_ahead) {
      rewind_stretch(pe, core, end, last);
    } else if (log.stalls > 0) {
      parts_.ledger.counters.finished(log.end);
    }
  }
}

void Cores::rewind_stretch(PeId pe, Core& core, Cycle end, Cycle last) {
  StretchLog& log = core.log;
  const bool stalled = log.stalls > 0;
  parts_.ledger.take_back(pe, {log.instructions, log.elements, log.flops, log.stalls});
  log.take_back(core.state);
  const std::uint64_t in_time = repeat_stretch(pe, core, kNever, end, last).steps;
  log.take_back(core.state);
  const Repeated repeated = repeat_stretch(pe, core, in_time, kNever, kNever);
  parts_.ledger.count(pe, repeated.work);
  log.elements = repeated.work.elements;
  log.stalls = repeated.work.stalls;
  // An instruction that it passed, and that does not end in time, goes its usual way.
  const bool started = repeated.end <= last && isa::info(core.instruction().op).is_vector();
  if (started) {
    start_vector(pe, core, repeated.end);
    InFlight* const f = core.in_flight.find(kMainThread);
    if (f != nullptr && f->is_timer) move_timer(pe, core, *f, last + 1);
  }
  // The finish of a stretch that stalls is known when it is over.
  if (stalled) parts_.ledger.counters.finished(started ? repeated.end : log.end);
}

void Cores::show_ends(Cycle last) {
  for (const PeId pe : placed_) {
    const Core& core = core_of(pe);
    if (follows()) parts_.ledger.counters.finished(std::min(last + 1, after(core).drained));
    for (const InFlight& f : core.in_flight) {
      if (f.is_timer && f.stalls_ahead) look_at_stalls(pe, f, last);
    }
  }
}

void Cores::unwind() {
  for (const Rewound& rewound : rewound_) unwind(rewound);
  rewound_.clear();
}

void Cores::unwind(const Rewound& rewound) {
  const ThreadId thread{rewound.pe, kMainThread};
  Core& core = core_of(rewound.pe);
  // The start of what its stretch has passed.
  const bool had_one = rewound.before.main_plan() != nullptr && !rewound.is_taken_back;
  const bool has_one = (core.in_flight.threads() & 1u << kMainThread) != 0;
  if (has_one && !had_one) {
    const InFlight* const f = core.in_flight.find(kMainThread);
    if (!f->is_timer && f->is_moving()) parts_.transport.cancel(thread);
    if (f->own_plan != nullptr) plans_.give_back(f->own_plan);
  }
  rewound.before.put_back(core);
  if (follows()) following_of(core) = rewound.following;
  if (!rewound.is_cancelled) return;
  const Plan& plan = *rewound.before.main_plan();
  parts_.transport.begin(thread, plan.flow, first_issue(thread.pe, core, plan, core.resume));
}

// It takes the same path: whatever it depends on is as it was.
Cores::Repeated Cores::repeat_stretch(PeId pe, Core& core, std::uint64_t most, Cycle end,
                                      Cycle last) {
  isa::ScalarState state{core.state};
  state.start_cycle = counter_of(pe, core.log.begin);
  if (follows()) state.after = from_start(following_of(core).at_stretch, core.log.begin);
  Repeated repeated{.end = core.log.begin};
  const VectorPasser passer(plans_, *core.program, most_written_);
  const std::uint64_t passes = core.log.passed ? kNever : 0;
  while (repeated.steps < most) {
    const isa::Instruction& i = core.program->code[state.pc];
    const isa::Step step = parts_.executor.run(
        state, *core.program, {.instructions = 1, .passes = passes, .passer = &passer});
    if (step == isa::Step::Service) {
      state.pc += isa::info(i.op).words();
    } else if (step != isa::Step::Next) {
      break;
    }
    if (core.log.begin + state.cycles_charged > (may_be_passed(i) ? last : end)) break;
    ++repeated.steps;
    repeated.end = core.log.begin + state.cycles_charged;
  }
  core.state = state;
  if (follows()) following_of(core).after = from_run(state.after, core.log.begin);
  repeated.work = work_of(state);
  return repeated;
}

}  // namespace wse::vm
