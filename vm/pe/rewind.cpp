// Scalar code that ran ahead of the cycle in which the machine stopped, put back to its time.
#include "vm/pe/cores.h"

namespace wse::vm {

void Cores::rewind(Cycle end) {
  for (const PeId pe : placed_) {
    Core& core = core_of(pe);
    if (core.log.end <= end) continue;
    parts_.counters.instructions -= core.log.instructions;
    parts_.counters.flops -= core.log.flops;
    core.log.take_back(core.state);
    const std::uint64_t in_time = repeat_stretch(pe, core, kNever, end).steps;
    core.log.take_back(core.state);
    const Repeated repeated = repeat_stretch(pe, core, in_time, kNever);
    parts_.counters.instructions += repeated.instructions;
    parts_.counters.flops += repeated.flops;
    if (core.log.changes == nullptr) continue;
    for (const auto& [number, value] : core.log.changes->written_since)
      core.state.r[number] = value;
  }
}

// It takes the same path: whatever it depends on is as it was.
Cores::Repeated Cores::repeat_stretch(PeId pe, Core& core, std::uint64_t most, Cycle end) {
  isa::ScalarState state{core.state};
  state.start_cycle = counter_of(pe, core.log.begin);
  std::uint64_t steps = 0;
  while (steps < most) {
    const isa::Step step = parts_.executor.run(state, core.program->code, {.instructions = 1});
    if (step == isa::Step::Service) {
      state.pc += isa::info(core.program->code[state.pc].op).words();
    } else if (step != isa::Step::Next) {
      break;
    }
    if (core.log.begin + state.cycles_charged > end) break;
    ++steps;
  }
  core.state = state;
  return {steps, state.instructions, state.flops};
}

}  // namespace wse::vm
