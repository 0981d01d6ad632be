// Scalar code that ran ahead of the cycle in which the machine stopped, put back to its time.
#include "vm/pe/cores.h"

namespace wse::vm {

void Cores::rewind(Cycle end) {
  for (Core& core : cores_) {
    isa::ScalarState& state = core.state;
    if (core.log.end <= end) continue;
    core.log.take_back(state);
    const std::uint64_t in_time = repeat_stretch(core, kNever, end);
    core.log.take_back(state);
    repeat_stretch(core, in_time, kNever);
    if (core.log.changes == nullptr) continue;
    for (const auto& [number, value] : core.log.changes->written_since) state.r[number] = value;
  }
}

// It takes the same path: whatever it depends on is as it was.
std::uint64_t Cores::repeat_stretch(Core& core, std::uint64_t most, Cycle end) {
  isa::ScalarState& state = core.state;
  for (std::uint64_t done = 0; done < most; ++done) {
    const isa::Step step = parts_.executor.run(state, core.program->code, {.instructions = 1});
    if (step == isa::Step::Service) {
      state.pc += isa::info(core.instruction().op).words();
    } else if (step != isa::Step::Next) {
      return done;
    }
    if (state.start_cycle + state.cycles_charged > end) return done;
  }
  return most;
}

}  // namespace wse::vm
