// Scalar code that ran ahead of the cycle in which the machine stopped, put back to its time.
#include "vm/pe/cores.h"
#include "vm/pe/passing.h"
#include "vm/pe/scalar_step.h"

namespace wse::vm {

void Cores::rewind(Cycle end, Cycle last) {
  for (const PeId pe : placed_) {
    Core& core = core_of(pe);
    if (core.main == Core::Main::Vector && core.resume > last) take_back_start(pe, core);
    StretchLog& log = core.log;
    if (log.end <= (log.passed ? last : end)) {
      if (log.stalls > 0) parts_.ledger.counters.finished(log.end);
      continue;
    }
    const bool stalled = log.stalls > 0;
    parts_.ledger.take_back(pe, {log.instructions, log.elements, log.flops, log.stalls});
    log.take_back(core.state);
    const std::uint64_t in_time = repeat_stretch(pe, core, kNever, end, last).steps;
    log.take_back(core.state);
    const Repeated repeated = repeat_stretch(pe, core, in_time, kNever, kNever);
    parts_.ledger.count(pe, repeated.work);
    log.elements = repeated.work.elements;
    log.stalls = repeated.work.stalls;
    // What it passed, and does not end in time, goes its usual way.
    const bool started = repeated.end <= last && isa::info(core.instruction().op).is_vector();
    if (started) start_vector(pe, core, repeated.end);
    // What a stretch that stalls finishes is known when it is over.
    if (stalled) parts_.ledger.counters.finished(started ? repeated.end : log.end);
  }
}

// It takes the same path: whatever it depends on is as it was.
Cores::Repeated Cores::repeat_stretch(PeId pe, Core& core, std::uint64_t most, Cycle end,
                                      Cycle last) {
  isa::ScalarState state{core.state};
  state.start_cycle = counter_of(pe, core.log.begin);
  if (follows()) state.after = from_start(following_of(core).at_stretch, core.log.begin);
  Repeated repeated{.end = core.log.begin};
  const VectorPasser passer(plans_, *core.program, most_written_);
  const std::uint64_t passes = core.in_flight.empty() ? kNever : 0;
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
