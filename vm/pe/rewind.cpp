// Puts cores back to the cycle in which the machine stopped, and forward again.
#include "vm/pe/rewind.h"

#include <algorithm>

namespace wse::vm {

void Rewinder::rewind(Cycle end, Cycle last) {
  for (const PeId pe : peers_.cores.placed()) {
    Core& core = peers_.cores[pe];
    const StretchLog& log = core.log;
    const bool has_started = core.has_started_ahead(last);
    const bool is_ahead = log.end > (log.passed ? last : end);
    if (has_started || is_ahead) {
      rewound_.push_back({.pe = pe, .before = KeptCore(core), .succession = {}});
      if (peers_.successions.keeps(core)) rewound_.back().succession = peers_.successions.of(core);
    }
    if (has_started) take_back_start(rewound_.back(), core);
    if (is_ahead) {
      rewind_stretch(pe, core, end, last);
    } else if (log.stalls > 0) {
      parts_.ledger.counters.finished(log.end);
    }
  }
}

void Rewinder::take_back_start(Rewound& rewound, Core& core) {
  rewound.is_taken_back = true;
  rewound.is_cancelled = peers_.starts.take_back(rewound.pe, core);
}

void Rewinder::rewind_stretch(PeId pe, Core& core, Cycle end, Cycle last) {
  StretchLog& log = core.log;
  const bool stalled = log.stalls > 0;
  parts_.ledger.take_back(pe, {log.instructions, log.elements, log.flops, log.stalls});
  log.take_back(core.state);
  const std::uint64_t in_time = peers_.stretches.repeat(pe, core, kNever, end, last).steps;
  log.take_back(core.state);
  const Stretches::Repeated repeated = peers_.stretches.repeat(pe, core, in_time, kNever, kNever);
  parts_.ledger.count(pe, repeated.work);
  log.elements = repeated.work.elements;
  log.stalls = repeated.work.stalls;
  // An instruction that it passed, and that does not end in time, goes its usual way.
  if (stalled) parts_.ledger.forget_stalls(pe, repeated.end);
  const bool started = repeated.end <= last && isa::info(core.instruction().op).is_vector();
  if (started) {
    peers_.starts.start(pe, core, repeated.end);
    core.resume = repeated.end;
    InFlight* const f = core.in_flight.find(kMainThread);
    if (f != nullptr && f->is_timer) peers_.timers.move(pe, core, *f, last + 1);
  }
  // The finish of a stretch that stalls is known when it is over.
  if (stalled) parts_.ledger.counters.finished(started ? repeated.end : log.end);
}

void Rewinder::show_ends(Cycle last) {
  for (const PeId pe : peers_.cores.placed()) {
    const Core& core = peers_.cores[pe];
    const Cycle drained = peers_.successions.after(core).drained;
    parts_.ledger.counters.finished(std::min(last + 1, drained));
    for (const InFlight& f : core.in_flight) {
      if (f.is_timer && f.stalls_ahead) peers_.timers.look_at_stalls(pe, core, f, last);
    }
  }
}

void Rewinder::unwind() {
  for (const Rewound& rewound : rewound_) unwind(rewound);
  rewound_.clear();
}

void Rewinder::unwind(const Rewound& rewound) {
  const ThreadId thread{rewound.pe, kMainThread};
  Core& core = peers_.cores[rewound.pe];
  // The start of what its stretch has passed.
  const bool had_one = rewound.before.main_plan() != nullptr && !rewound.is_taken_back;
  const bool has_one = (core.in_flight.threads() & 1u << kMainThread) != 0;
  if (has_one && !had_one) {
    const InFlight* const f = core.in_flight.find(kMainThread);
    if (!f->is_timer && f->is_moving()) parts_.transport.cancel(thread);
    if (f->own_plan != nullptr) peers_.plans.give_back(f->own_plan);
  }
  rewound.before.put_back(core);
  if (peers_.successions.keeps(core)) peers_.successions.of(core) = rewound.succession;
  if (!rewound.is_cancelled) return;
  const Plan& plan = *rewound.before.main_plan();
  parts_.transport.begin(thread, plan.flow,
                         peers_.starts.first_issue(thread.pe, core, plan, core.resume));
}

}  // namespace wse::vm
