// The dispatch loop. The meaning of instructions and their price are in isa/semantics.
//
// The loop works on a copy of the state that nothing else can see, so that pc and charges stay in
// registers of the host. Beside instructions in flight stretches are short, and no copy pays: what
// was just written by members is moved by two, for which the host waits. It is compiled once for
// each kind of stretch: what must be checked or recorded costs only where it must.
#include "vm/pe/interpreter.h"

#include <type_traits>

#include "vm/pe/scalar_step.h"

namespace wse::vm {
namespace {

template <class Kind>
[[gnu::flatten]] isa::Step run_as(isa::ScalarState& seen, const isa::Instruction* code,
                                  const isa::CostTable& costs, const StretchLimits& limits) {
  std::conditional_t<Kind::kGuarded, isa::ScalarState&, isa::ScalarState> state = seen;
  isa::Step result = isa::Step::Next;
  for (std::uint64_t left = limits.instructions; left > 0 && result == isa::Step::Next; --left) {
    const isa::Instruction& i = code[state.pc];
    if constexpr (Kind::kNoted) limits.notes->comes_to(state.pc, state.cycles_charged);
    switch (i.op) {
#define INSTRUCTION(name, ...) \
  case isa::Op::name: result = scalar_step<Kind, isa::Op::name>(state, i, costs, limits); break;
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
    }
    if (result != isa::Step::Stop) continue;
    result = pass<Kind>(state, i, limits);
    if constexpr (Kind::kNoted) {
      const bool passed = result == isa::Step::Next && isa::info(i.op).is_vector();
      if (passed) limits.notes->passes(state.first_issue, state.stalls);
    }
  }
  if constexpr (!Kind::kGuarded) seen = state;
  return result;
}

}  // namespace

isa::Step Interpreter::run(isa::ScalarState& state, const LoadedProgram& program,
                           const StretchLimits& limits) {
  const isa::Instruction* const code = program.code.data();
  if (limits.notes != nullptr) {
    return kind_of(limits) == StretchKind::Guarded
               ? run_as<GuardedNoted>(state, code, costs_, limits)
               : run_as<RecordedNoted>(state, code, costs_, limits);
  }
  switch (kind_of(limits)) {
    case StretchKind::Plain: return run_as<Plain>(state, code, costs_, limits);
    case StretchKind::Recorded: return run_as<Recorded>(state, code, costs_, limits);
    case StretchKind::Guarded: return run_as<Guarded>(state, code, costs_, limits);
  }
  return isa::Step::Trap;
}

std::vector<std::unique_ptr<Executor>> InterpreterEngine::executors(const isa::Image&,
                                                                    const isa::Profile& profile,
                                                                    std::span<const LoadedProgram>,
                                                                    std::size_t count) const {
  std::vector<std::unique_ptr<Executor>> executors(count);
  for (auto& executor : executors) executor = std::make_unique<Interpreter>(profile);
  return executors;
}

}  // namespace wse::vm
