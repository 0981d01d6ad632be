// The code that the compiler inlines, as bitcode: for each kind of stretch and each instruction the
// very step that the interpreter executes, and what a region needs at its edges. Must hold no
// meaning of its own.
#include "vm/pe/scalar_step.h"

using wse::isa::CostTable;
using wse::isa::Instruction;
using wse::isa::ProgramView;
using wse::isa::ScalarState;
using wse::isa::Step;
using wse::vm::StretchLimits;

#define MEANING(kind, name)                                                                  \
  Step wse_##kind##_##name(ScalarState& state, const Instruction& i, const CostTable& costs, \
                           const StretchLimits& limits) {                                    \
    const Step step =                                                                        \
        wse::vm::scalar_step<wse::vm::kind, wse::isa::Op::name>(state, i, costs, limits);    \
    if constexpr (wse::vm::may_be_passed(wse::isa::Op::name)) {                              \
      if (step == Step::Stop) return wse_pass_##kind(state, i, limits);                      \
    }                                                                                        \
    return step;                                                                             \
  }

#define PASS(kind)                                                                 \
  [[gnu::noinline]] Step wse_pass_##kind(ScalarState& state, const Instruction& i, \
                                         const StretchLimits& limits) {            \
    return wse::vm::pass<wse::vm::kind>(state, i, limits);                         \
  }

extern "C" {

// Steps that all vector instructions share are in the bitcode once; regions inline them.
// A vector instruction that is expected to stop. Next, and nothing done, if it may be passed.
#define STOP(kind)                                                                         \
  Step wse_stop_##kind(const ScalarState& state, const Instruction& i, const CostTable&,   \
                       const StretchLimits& limits) {                                      \
    return wse::vm::might_pass<wse::vm::kind>(state, i, limits) ? Step::Next : Step::Stop; \
  }
STOP(Plain)
STOP(Recorded)
STOP(Guarded)
PASS(Plain)
PASS(Recorded)
PASS(Guarded)

#define INSTRUCTION(name, ...) \
  MEANING(Plain, name)         \
  MEANING(Recorded, name)      \
  MEANING(Guarded, name)
#include "isa/instruction/instructions.def"
#undef INSTRUCTION

// The copy of the state that a region works on, which nothing else can see. `view` becomes what the
// state's own is, but for the literals: those of the program are constants of its code.
void wse_enter(ScalarState& local, ProgramView& view, const ScalarState& state, std::byte* memory,
               const std::uint32_t* literals) {
  local = state;
  view = *state.view;
  view.literals = literals;
  local.memory = memory;
  local.view = &view;
}
void wse_leave(ScalarState& state, ScalarState& local) {
  local.view = state.view;
  state = local;
}

std::uint32_t wse_pc(const ScalarState& state) { return state.pc; }
void wse_at(ScalarState& local, std::uint32_t pc) { local.pc = pc; }

// Whether so many instructions more are within the limit.
bool wse_has_room(const ScalarState& local, std::uint64_t end, std::uint64_t instructions) {
  return end - local.instructions >= instructions;
}
}
